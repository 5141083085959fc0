//! The pictures of the documentation are what commands print and write.
//!
//! To draw them: `TRYCMD=overwrite cargo test -p lms-cli picture`.

use std::{fmt::Write as _, fs, path::Path};

use crate::program::Program;

/// The commands in the picture of a terminal, and the number of lines of their output that are shown.
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
        let arguments = line.trim_start_matches("lms ");
        let ran = program.run(&format!("{arguments} -o table --color always"));
        let ran = ran.exits(0);
        writeln!(screen, "\u{1b}[32m$\u{1b}[0m {line}").unwrap();
        for output in ran.stdout.lines().take(shown) {
            writeln!(screen, "{output}").unwrap();
        }
        screen.push('\n');
    }
    let drawn = anstyle_svg::Term::new().render_svg(screen.trim_end());
    assert_stored("terminal.svg", &drawn);
}

fn assert_stored(name: &str, drawn: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
    let path = Path::new(path).join(name);
    if std::env::var_os("TRYCMD").is_some_and(|value| value == "overwrite") {
        fs::write(&path, drawn).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(drawn == stored, "docs/{name} is stale:\n{drawn}");
}

#[test]
fn the_picture_of_required_training_is_a_chart_of_the_page() {
    let program = Program::new();
    let guide = include_str!("../../../docs/guide/required-training.md");
    let (_, rules) = guide.split_once("<<'TOML'\n").unwrap();
    program.write("training.toml", rules.split("TOML\n").next().unwrap());
    program
        .run("--sandbox report page --rules training.toml --group-by tag --at 2026-01-31 --to p.html")
        .exits(0);
    let page = program.read("p.html");
    let between = |text: &str, from: &str, to: &str| {
        let (_, rest) = text.split_once(from).unwrap();
        rest.split(to).next().unwrap().to_owned()
    };
    let chart = between(
        &between(&page, "<h2>By tag</h2>", "</section>"),
        "<svg",
        "</svg>",
    );
    let style = between(&page, "<style>", "</style>");
    let start = "<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"background:var(--back)\"";
    let chart = chart.replacen(
        '>',
        &format!("><style>{style}svg{{font-family:sans-serif}}</style>"),
        1,
    );
    assert_stored(
        "guide/required-training.svg",
        &format!("{start}{chart}</svg>\n"),
    );
}
