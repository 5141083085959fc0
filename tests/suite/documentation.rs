//! The documentation: numbers that the code also has, and examples as they are read outside of rustdoc.

use std::{fs, path::Path};

/// Texts of pages with a number, and the lines of the code that decide it.
const NUMBERS: &str = include_str!("numbers.tsv");

#[test]
fn a_number_in_the_documentation_is_that_of_the_code() {
    for row in NUMBERS.lines().skip(1) {
        let [page, text, file, line] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not four cells: {row}");
        };
        let read = |path: &str| {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let content = fs::read_to_string(root.join(path)).unwrap();
            // As one line, whatever its width is.
            let words = content.split_whitespace().filter(|word| *word != "///");
            words.collect::<Vec<_>>().join(" ")
        };
        assert!(read(page).contains(text), "{page} does not say {text:?}");
        assert!(
            read(file).contains(line),
            "{file} does not say {line:?}; correct {page}, too"
        );
    }
}

#[test]
fn the_tests_that_guarantees_name_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let checks = rows.filter_map(|row| row.split(" | ").nth(1));
    let mut tests = 0;
    for link in checks.flat_map(|check| check.split("](").skip(1)) {
        let (file, names) = link.split_once(')').unwrap();
        let code = fs::read_to_string(root.join(file)).unwrap();
        let names = names.split('[').next().unwrap().split('`');
        for name in names.skip(1).step_by(2).filter(|name| name.contains('_')) {
            assert!(code.contains(&format!("fn {name}(")), "{file}: {name}");
            tests += 1;
        }
    }
    assert!(tests > 40, "{tests}");
}

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
