//! Completions in the shells that they are for, and man pages in the programs that show them.

use std::{fs, process::Command};

use lms_sandbox::Sandbox;

use crate::program::{Program, demo, fault, table};

/// The output of a program that reads files in the folder, with `lms` in the path.
fn output(program: &Program, name: &str, arguments: &[&str]) -> String {
    let output = program
        .other(name)
        .args(arguments)
        .env("LMS_COMPLETE_TIMEOUT", "60s")
        .env("TERM", "dumb")
        .output()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(output.status.success(), "{name}: {output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{name}");
    String::from_utf8(output.stdout).unwrap()
}

/// The completions that bash offers for the last of the words.
fn completed(program: &Program, words: &str) -> Vec<String> {
    let script = format!(
        "source <(lms completion bash); complete -p lms >/dev/null; COMP_WORDS=({words}); \
         COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _clap_complete_lms lms \"${{COMP_WORDS[-1]}}\"; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let offered = output(program, "bash", &["-c", &script]);
    offered.lines().map(str::to_owned).collect()
}

/// A profile with its secret in a file, and one with a command that must not be run.
fn with_profiles(sandbox: &Sandbox) -> Program {
    let program = Program::new();
    let (url, id) = (sandbox.base_url(), sandbox.client_id());
    let add = format!("profile add --base-url {url} --client-id {id}");
    let in_file = format!("{add} acme --tag prod --client-secret-stdin");
    program.run_with(&in_file, sandbox.client_secret()).exits(0);
    let of_command = format!("{add} asks --credential-command 'touch asked; echo s'");
    program.run(&of_command).exits(0);
    program
}

#[test]
fn bash_completes_commands_options_and_values() {
    let program = Program::new();
    let cases = r#"
        lms cou => courses course-progress
        lms courses dup => duplicate duplication
        lms courses list -o '' => table json ndjson csv xlsx
        lms learners edit l1 --sur => --surname
        lms export learners,tag => learners,tags
        lms learners list --columns id,em => id,email
        lms status --columns ro => rows
        lms report completions --columns course => course_name course course_deleted
        lms learners edit l1 --clear firstname,not => firstname,notes
        lms --sandbox enrolments add --course c1 => c1 c10 c11 c12
        lms --sandbox learners add --enrol c1,c10 => c1,c10
        lms --sandbox learners list --tag eme => emea
        lms --sandbox enrolments add --course Fire => Fire\ safety Fire\ safety\ 2019
        lms --sandbox courses get 'Fire\ safety\ ' => Fire\ safety\ 2019
        lms --sandbox courses get '"Fire safety ' => Fire safety 2019
        lms --sandbox enrolments add --user mohammed.lindqvist1@ => mohammed.lindqvist1@works.example
    "#;
    for [words, expected] in table(cases) {
        assert_eq!(completed(&program, &words).join(" "), expected, "{words}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn profiles_tags_and_the_ids_of_the_tenant_are_completed_without_asking_for_a_secret() {
    let sandbox = demo().await;
    let program = with_profiles(&sandbox);
    let cases = r"
        lms courses list --profile a => acme asks
        lms courses list --profiles acme,as => acme,asks
        lms courses list --tag-profiles p => prod
        lms profile use ac => acme
        lms courses get c12 => c12
        lms courses get --profile asks c12 =>
    ";
    for [words, expected] in table(cases) {
        assert_eq!(completed(&program, &words).join(" "), expected, "{words}");
    }
    assert!(!program.path().join("asked").exists());
    fault(&sandbox, "listCourses: every 1: status 400");
    assert_eq!(completed(&program, "lms courses get c12"), [""]);
    program.write(".config/lms/config.toml", "not TOML");
    assert_eq!(completed(&program, "lms courses get c12"), [""]);
    assert_eq!(completed(&program, "lms courses list --profile a"), [""]);
}

/// A shell for a terminal, with time for a completion.
fn interactive(program: &Program, shell: &str, arguments: &[&str]) -> Command {
    let mut shell = program.other(shell);
    shell.args(arguments);
    shell.env("LMS_COMPLETE_TIMEOUT", "60s").env("TERM", "dumb");
    shell
}

/// Completes a name that the shell would run if it were not quoted as one word.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs zsh and fish, which .ci/run installs"]
async fn a_name_that_is_completed_is_one_word_in_every_shell() {
    const NAME: &str = "Tick $(touch ticked) & ~ 'one' `two`\\: #3!";
    let sandbox = demo().await;
    let course = sandbox.seed().add_course(NAME).unwrap();
    let program = with_profiles(&sandbox);
    program.write("_lms", program.run("completion zsh").stdout);
    for (shell, arguments, set_up) in [
        (
            "bash",
            &["--norc", "--noprofile"][..],
            "source <(lms completion bash)",
        ),
        (
            "zsh",
            &["-f"],
            "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D",
        ),
        ("fish", &["--no-config"], "lms completion fish | source"),
    ] {
        let shell_command = interactive(&program, shell, arguments);
        let mut session = rexpect::session::spawn_command(shell_command, Some(60_000)).unwrap();
        session.send_line(set_up).unwrap();
        for begun in ["Tick", "Tick\\ "] {
            let line = format!("lms courses get {begun}\t --jq .id -o ndjson >> {shell}.txt");
            session.send_line(&line).unwrap();
        }
        session.send_line("exit").unwrap();
        session.exp_eof().unwrap();
        let found = program.read(&format!("{shell}.txt"));
        assert_eq!(found.trim(), format!("{course}\n{course}"), "{shell}");
        assert!(!program.path().join("ticked").exists(), "{shell}");
    }
}

#[test]
#[ignore = "needs zsh, fish and mandoc, which .ci/run installs"]
fn other_shells_and_mandoc_accept_what_is_generated() {
    let program = Program::new();
    program.write("_lms", program.run("completion zsh").stdout);
    let zsh = interactive(&program, "zsh", &["-f"]);
    let mut zsh = rexpect::session::spawn_command(zsh, Some(60_000)).unwrap();
    zsh.send_line(
        "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; echo set $((20 + 22))",
    )
    .unwrap();
    zsh.exp_string("set 42").unwrap();
    zsh.send("lms courses dup\t\t").unwrap();
    zsh.flush().unwrap();
    zsh.exp_string("duplication  -- Get a course duplication")
        .unwrap();
    zsh.send("\x15lms --sandbox courses get c1\t\t").unwrap();
    zsh.flush().unwrap();
    zsh.exp_string("c12  -- Fire safety 2019").unwrap();
    zsh.send_control('u').unwrap();
    zsh.send_line("exit").unwrap();
    zsh.exp_eof().unwrap();
    let fish = "lms completion fish | source; complete -C 'lms courses dup'; complete -C 'lms --sandbox courses get c12'";
    let offered = output(&program, "fish", &["--no-config", "-c", fish]);
    let lines: Vec<_> = offered.lines().collect();
    assert_eq!(
        lines,
        [
            "duplicate\tStart duplicating a course",
            "duplication\tGet a course duplication",
            "c12\tFire safety 2019"
        ]
    );
    program.run("man --to pages").exits(0);
    let pages = fs::read_dir(program.path().join("pages")).unwrap();
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
