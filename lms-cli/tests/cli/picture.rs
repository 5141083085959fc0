//! The picture of a terminal in README is what the commands in it print.
//!
//! To draw it: `TRYCMD=overwrite cargo test -p lms-cli picture`.

use std::{fmt::Write as _, fs, path::Path};

use crate::program::Program;

const PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/terminal.svg");

/// The commands, and the number of lines of their output that are shown.
const COMMANDS: [(&str, usize); 3] = [
    (
        "lms --sandbox mirror learners,courses,enrolments,course_completions --to sqlite:tenant.db",
        5,
    ),
    ("lms verify sqlite:tenant.db", 5),
    (
        "lms report overdue --mirror sqlite:tenant.db --at 2026-01-31",
        6,
    ),
];

#[test]
fn the_picture_of_the_readme_is_what_the_commands_print() {
    let program = Program::new().with("COLUMNS", "96");
    let mut screen = String::new();
    for (line, shown) in COMMANDS {
        let words: Vec<_> = line.split(' ').skip(1).collect();
        let ran = program
            .run(&[&words[..], &["-o", "table", "--color", "always"]].concat())
            .exits(0);
        writeln!(screen, "\u{1b}[32m$\u{1b}[0m {line}").unwrap();
        for output in ran.stdout.lines().take(shown) {
            writeln!(screen, "{output}").unwrap();
        }
        screen.push('\n');
    }
    let drawn = anstyle_svg::Term::new().render_svg(screen.trim_end());
    if std::env::var_os("TRYCMD").is_some_and(|value| value == "overwrite") {
        fs::write(PICTURE, &drawn).unwrap();
    }
    let stored = fs::read_to_string(Path::new(PICTURE)).unwrap_or_default();
    assert!(drawn == stored, "docs/terminal.svg is stale:\n{screen}");
}
