//! Completions in the shells that they are for, and man pages in the programs that show them.

use std::process::Command;

use crate::program::Program;

/// The output of a program that reads files in the folder, with `lms` in the path.
fn output(program: &Program, name: &str, arguments: &[&str]) -> String {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_lms"))
        .parent()
        .unwrap();
    let path = std::env::var("PATH").unwrap();
    let output = Command::new(name)
        .args(arguments)
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("HOME", program.path())
        .env("TERM", "dumb")
        .current_dir(program.path())
        .output()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(output.status.success(), "{name}: {output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{name}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let program = Program::new();
    for (words, expected) in [
        ("lms cou", "courses course-progress"),
        ("lms courses dup", "duplicate duplication"),
        ("lms courses list -o ''", "table json ndjson csv"),
        ("lms learners edit l1 --sur", "--surname"),
    ] {
        let script = format!(
            "source <(lms completion bash); complete -p lms >/dev/null; COMP_WORDS=({words}); \
             COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _lms lms \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; \
             echo \"${{COMPREPLY[@]}}\""
        );
        assert_eq!(
            output(&program, "bash", &["-c", &script]).trim(),
            expected,
            "{words}"
        );
    }
}

#[test]
#[ignore = "needs zsh, fish and mandoc, which .ci/run installs"]
fn other_shells_and_mandoc_accept_what_is_generated() {
    let program = Program::new();
    let zsh = "lms completion zsh > _lms; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; \
               autoload +X _lms; whence -w _lms; print $_comps[lms]";
    assert_eq!(
        output(&program, "zsh", &["-fc", zsh]),
        "_lms: function\n_lms\n"
    );
    let fish = "lms completion fish | source; complete -C 'lms courses dup'; complete -C 'lms courses list -o '";
    let completed = output(&program, "fish", &["--no-config", "-c", fish]);
    let words: Vec<_> = completed
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(
        words,
        ["duplicate", "duplication", "csv", "json", "ndjson", "table"]
    );
    assert_eq!(program.run(&["man", "--to", "pages"]).code, 0);
    let pages = std::fs::read_dir(program.path().join("pages")).unwrap();
    let pages: Vec<_> = pages
        .map(|page| page.unwrap().path().display().to_string())
        .collect();
    assert!(pages.len() > 50, "{pages:?}");
    let arguments = [
        &["-Tlint", "-Werror"][..],
        &pages.iter().map(String::as_str).collect::<Vec<_>>(),
    ]
    .concat();
    assert_eq!(output(&program, "mandoc", &arguments), "");
    let page = output(&program, "mandoc", &["-Thtml", "pages/lms.1"]);
    for section in ["EXIT_STATUS", "ENVIRONMENT", "FILES"] {
        assert!(page.contains(section), "{page}");
    }
}
