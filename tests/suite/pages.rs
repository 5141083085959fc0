//! README and the guide, as they are read outside of rustdoc.

use std::{fs, path::Path};

#[test]
fn no_example_has_lines_that_only_rustdoc_hides() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = fs::read_dir(root.join("docs/guide")).unwrap();
    let pages = guide
        .map(|page| page.unwrap().path())
        .chain([root.join("README.md")]);
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        // Every second piece is a code block, which begins with its language.
        let rust = text.split("```").skip(1).step_by(2);
        for code in rust.filter(|code| code.starts_with("rust")) {
            let hidden = code
                .lines()
                .find(|line| *line == "#" || line.starts_with("# "));
            assert_eq!(hidden, None, "{}", page.display());
        }
    }
}
