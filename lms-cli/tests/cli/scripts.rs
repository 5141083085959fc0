//! The scenarios in `tests/scripts`, in the manner of Go's testscript: commands of `lms`, and what they have to say.
//!
//! `== NAME` begins a scenario, with a demo tenant and a home of its own. Each other line is a step, and lines that begin with `>`
//! belong to the step above. `!` before a step denies it. `$NAME` stands for a value of `let`, and `$URL`, `$ID` and `$SECRET` for
//! the credentials of the tenant, `$URL_NAME` for the URL of a profile, and `$ROOT` for the folder of the project.
//!
//! | step | meaning |
//! |---|---|
//! | `tenant reports`, `tenant none` | the tenant of the reports with its mirror `t.db`; no tenant |
//! | `profiles NAME…` | a demo tenant and a profile for each name |
//! | `lms ARGUMENTS`, `lms:CODE ARGUMENTS` | runs a command, which ends with this code, and prints exactly the lines below, if there are any |
//! | `fails CODE` | each line below is a command that prints nothing, `=>`, and a part of its error |
//! | `fails CODE FILE OPTION` | the same with the content of a file between them, which the command gets with this option |
//! | `same` | each line below is a command with an id at its end, the id, a name for it, and what is said of the name |
//! | `stdin TEXT` | the input of the next command |
//! | `stdout TEXT`, `stderr TEXT`, `said TEXT` | the last command has printed it: there, or anywhere |
//! | `count NUMBER TEXT`, `lines NUMBER` | how often it is in the output; the lines of the output |
//! | `json POINTER VALUE`, `let NAME POINTER` | a value of the JSON that it has printed; `*` stands for any text at the end |
//! | `write FILE`, `latin1 FILE`, `append FILE`, `edit FILE FROM => TO`, `grep FILE TEXT`, `exists FILE`, `rm FILE` | files; the content is in the lines below, or is a text with escapes |
//! | `sql FILE STATEMENT` | changes a mirror |
//! | `sh COMMAND` | a command of the shell, in which `lms` is found, that succeeds |
//! | `fault RULE`, `fault@NAME RULE`, `repair` | faults of the tenant, or of that of a profile |
//! | `forget`, `requests NUMBER [OPERATION\|writes\|PATH]` | forgets and counts requests |
//! | `env NAME VALUE`, `env NAME` | a variable of all commands after it, and none |

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use lms_sandbox::{Operation, Sandbox};
use serde_json::Value;

use crate::{
    program::{Program, Ran, cell, demo, table},
    reports,
};

/// A step, and the lines that belong to it.
type Step<'a> = (usize, &'a str, Vec<&'a str>);

fn steps(text: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        match line.strip_prefix('>') {
            Some(line) => {
                let (.., lines) = steps.last_mut().unwrap();
                lines.push(line.strip_prefix(' ').unwrap_or(line));
            }
            None if line.is_empty() || line.starts_with('#') => {}
            None => steps.push((number, line.trim(), Vec::new())),
        }
    }
    steps
}

struct Scenario {
    program: Program,
    tenants: Vec<(String, Sandbox)>,
    variables: BTreeMap<String, String>,
    stdin: Option<String>,
    ran: Option<Ran>,
}

impl Scenario {
    fn new(program: Program, tenants: Vec<(String, Sandbox)>) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut variables = BTreeMap::new();
        variables.insert("ROOT".to_owned(), root.display().to_string());
        if let Some((_, tenant)) = tenants.first() {
            let own = [
                ("URL", tenant.base_url()),
                ("ID", tenant.client_id()),
                ("SECRET", tenant.client_secret()),
            ];
            variables.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        for (name, tenant) in &tenants {
            variables.insert(format!("URL_{name}"), tenant.base_url().to_owned());
        }
        Self {
            program,
            tenants,
            variables,
            stdin: None,
            ran: None,
        }
    }

    async fn begin(how: &str) -> Self {
        match how.split_once(' ').unwrap_or((how, "")) {
            ("tenant", "none") => Self::new(Program::new(), Vec::new()),
            ("tenant", "reports") => {
                let (tenant, program) = reports::mirrored_tenant().await;
                Self::new(program, vec![(String::new(), tenant)])
            }
            ("profiles", names) => {
                let mut tenants = Vec::new();
                for name in names.split(' ') {
                    tenants.push((name.to_owned(), demo().await));
                }
                let profiles: Vec<_> = tenants.iter().map(|(name, of)| (&**name, of, "")).collect();
                Self::new(Program::with_profiles(&profiles), tenants)
            }
            _ => {
                let tenant = demo().await;
                Self::new(Program::of(&tenant), vec![(String::new(), tenant)])
            }
        }
    }

    fn ran(&self) -> &Ran {
        self.ran.as_ref().expect("a command before this step")
    }

    fn tenant(&self, name: &str) -> &Sandbox {
        let mut tenants = self.tenants.iter();
        &tenants
            .find(|(known, _)| known == name || name.is_empty())
            .unwrap()
            .1
    }

    fn filled(&self, text: &str) -> String {
        let names = self.variables.iter().rev();
        names.fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("${name}"), value)
        })
    }

    /// Does a step. Returns `false` if it is not as the step says.
    fn step(&mut self, step: &str, lines: &[&str]) -> bool {
        let step = self.filled(step);
        let lines: Vec<String> = lines.iter().map(|line| self.filled(line)).collect();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let (verb, rest) = step.split_once(' ').unwrap_or((&step, ""));
        let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
        let (verb, of) = verb.split_once([':', '@']).unwrap_or((verb, ""));
        let path = self.program.path().join(first);
        match verb {
            "!" => return !self.step(rest, &[]),
            "lms" => self.run(
                rest,
                if of.is_empty() {
                    0
                } else {
                    of.parse().unwrap()
                },
                &text,
            ),
            "fails" => self.fail(first.parse().unwrap(), second, &text),
            "same" => self.assert_same(&text),
            "stdin" => self.stdin = Some(cell(rest)),
            "stdout" => return self.ran().stdout.contains(&unescaped(rest)),
            "stderr" => return self.ran().stderr.contains(&unescaped(rest)),
            "said" => return format!("{:?}", self.ran()).contains(rest),
            "count" => return self.ran().stdout.matches(second).count().to_string() == first,
            "lines" => return self.ran().stdout.lines().count().to_string() == first,
            "json" => return is_value(&self.value(first), second),
            "let" => {
                let value = match second {
                    "" => self.ran().stdout.trim().to_owned(),
                    pointer => match self.value(pointer) {
                        Value::String(text) => text,
                        value => value.to_string(),
                    },
                };
                self.variables.insert(first.to_owned(), value);
            }
            "write" => fs::write(path, if lines.is_empty() { cell(second) } else { text }).unwrap(),
            "latin1" => {
                let bytes = text.chars().map(|c| u8::try_from(c).unwrap());
                fs::write(path, bytes.collect::<Vec<_>>()).unwrap();
            }
            "append" => fs::write(&path, fs::read_to_string(&path).unwrap() + &text).unwrap(),
            "edit" => {
                let (from, to) = second.split_once(" => ").unwrap();
                fs::write(&path, fs::read_to_string(&path).unwrap().replace(from, to)).unwrap();
            }
            "grep" => return is_in(&fs::read_to_string(path).unwrap(), &cell(second)),
            "exists" => return path.exists(),
            "rm" => fs::remove_file(path).unwrap(),
            "sql" => drop(self.program.sql(first, second)),
            "sh" => return self.program.shell(rest),
            "fault" => self.tenant(of).faults().add(rest).unwrap(),
            "repair" => self.tenants.iter().for_each(|(_, of)| of.faults().clear()),
            "forget" => self.tenants.iter().for_each(|(_, of)| of.clear_requests()),
            "requests" => return self.requests(of, second).to_string() == first,
            "env" => self.program.set(first, second),
            other => panic!("{other} is no step"),
        }
        true
    }

    fn run(&mut self, arguments: &str, code: i32, expected: &str) {
        let ran = match self.stdin.take() {
            Some(stdin) => self.program.run_with(arguments, &stdin),
            None => self.program.run(arguments),
        };
        let ran = ran.exits(code);
        if !expected.is_empty() {
            assert_eq!(ran.stdout, expected, "{}", ran.stderr);
        }
        self.ran = Some(ran);
    }

    /// Commands that print nothing and an error. Of an option with a file, each has the content of the file.
    fn fail(&self, code: i32, file: &str, rows: &str) {
        let Some((file, option)) = file.split_once(' ') else {
            return self.program.assert_failures(code, rows);
        };
        for [command, content, sentence] in table(rows) {
            self.program.write(file, content);
            let ran = self.program.run(&format!("{command} {option} {file}"));
            ran.assert_failure(code, &sentence);
        }
    }

    /// A command with the id of an object does the same as with its name, and then shows the object.
    fn assert_same(&self, rows: &str) {
        for [command, id, name, line] in table(rows) {
            let by_id = self.program.run(&format!("{command} {id}")).exits(0);
            let is_shown = |line: &str| line.ends_with(&format!(" is {id}"));
            assert!(!by_id.stderr.lines().any(is_shown), "{by_id:?}");
            assert!(by_id.stdout.len() > 3, "{by_id:?}");
            let by_name = self.program.run(&format!("{command} '{name}'")).exits(0);
            assert_eq!(by_name.stdout, by_id.stdout, "{command} {name}");
            by_name.assert_stderr(&line);
        }
    }

    /// A value of the JSON that the last command has printed.
    fn value(&self, pointer: &str) -> Value {
        let json: Value = serde_json::from_str(&self.ran().stdout).unwrap();
        json.pointer(pointer.trim_end_matches('/'))
            .cloned()
            .unwrap_or_default()
    }

    /// Number of requests for an operation, with a part of the path, that write, or of all.
    fn requests(&self, tenant: &str, which: &str) -> usize {
        let named = Operation::ALL
            .iter()
            .find(|known| format!("{known:?}") == which);
        let requests = self.tenant(tenant).requests().unwrap();
        let counted = requests.iter().filter(|request| match (which, named) {
            ("writes", _) => {
                request.method != "GET" && request.operation != Some(Operation::GetToken)
            }
            (_, Some(operation)) => request.operation == Some(*operation),
            (path, None) => request.path.contains(path),
        });
        counted.count()
    }
}

/// Returns `true` if a text contains another one. Prints the text if not.
#[expect(clippy::print_stderr, reason = "tests show it only if they fail")]
fn is_in(text: &str, part: &str) -> bool {
    let found = text.contains(part);
    if !found {
        eprintln!("{text}");
    }
    found
}

fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\u{feff}", "\u{feff}")
}

fn is_value(found: &Value, expected: &str) -> bool {
    match (expected.strip_suffix('*'), found) {
        (Some(start), Value::String(text)) => text.starts_with(start),
        _ => serde_json::from_str::<Value>(expected).unwrap() == *found,
    }
}

#[expect(clippy::print_stderr, reason = "shows the step that fails")]
async fn play(file: &str, steps: &[Step<'_>]) {
    let mut scenario = Scenario::begin(steps[0].1).await;
    for (number, step, lines) in steps {
        eprintln!("{file}:{number}: {step}");
        if !step.starts_with("tenant ") && !step.starts_with("profiles ") {
            let holds = scenario.step(step, lines);
            assert!(holds, "{file}:{number}: {step}: {:#?}", scenario.ran);
        }
    }
}

/// Plays the scenarios of a file, two at a time, so that the longest file does not keep one core busy at the end.
fn run(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/scripts")
        .join(file);
    let text = fs::read_to_string(path).unwrap();
    let steps = steps(&text);
    let scenarios = steps.split(|(_, step, _)| step.starts_with("== "));
    let scenarios: Vec<_> = scenarios.filter(|steps| !steps.is_empty()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        while let Some(steps) = scenarios.get(next.fetch_add(1, Ordering::Relaxed)) {
            runtime.block_on(play(file, steps));
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

macro_rules! scripts {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                run(concat!(stringify!($name), ".txt"));
            }
        )*

        #[test]
        fn every_script_runs() {
            let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
            assert_eq!(fs::read_dir(scripts).unwrap().count(), [$(stringify!($name)),*].len());
        }
    };
}

scripts! { commands import jobs ledger mistakes names profiles reminders reports rows tenants writes }
