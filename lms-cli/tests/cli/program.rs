//! Runs `lms` with a home of its own.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Output, Stdio},
};

use lms_sandbox::Sandbox;
use serde_json::{Value, json};
use tempfile::TempDir;

/// `lms` with an empty environment and home.
pub(crate) struct Program {
    pub(crate) home: TempDir,
    environment: Vec<(String, String)>,
}

/// The arguments in a line with spaces between them, in which quotes keep spaces.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The output of a run of the program, and its exit code.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The arguments, for messages.
    line: String,
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Program {
    /// Without a profile and without credentials.
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        Self {
            home,
            environment: Vec::new(),
        }
    }

    /// With the credentials of a sandbox in the environment.
    pub(crate) fn of(sandbox: &Sandbox) -> Self {
        Self::new()
            .with("LMS_BASE_URL", sandbox.base_url())
            .with("LMS_CLIENT_ID", sandbox.client_id())
            .with("LMS_CLIENT_SECRET", sandbox.client_secret())
    }

    /// With a profile for each sandbox, of which the first is the default, and more settings for each.
    pub(crate) fn with_profiles(profiles: &[(&str, &Sandbox, &str)]) -> Self {
        let program = Self::new();
        let folder = program.path().join(".config/lms");
        fs::create_dir_all(&folder).unwrap();
        let mut text = format!("default = \"{}\"\n", profiles[0].0);
        for (name, sandbox, more) in profiles {
            write!(
                text,
                "[profiles.{name}]\nbase_url = \"{}\"\nclient_id = \"{}\"\ncredential_command = \"echo {}\"\n{more}\n",
                sandbox.base_url(),
                sandbox.client_id(),
                sandbox.client_secret()
            )
            .unwrap();
        }
        fs::write(folder.join("config.toml"), text).unwrap();
        program
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a variable, or removes it if its value is empty.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.environment.retain(|(known, _)| known != name);
        if !value.is_empty() {
            self.environment.push((name.to_owned(), value.to_owned()));
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.home.path()
    }

    /// Returns `true` while a row of `--from` has no result: its request was sent, or is about to be.
    pub(crate) fn sends(&self, row: u32) -> bool {
        let Ok(mut files) = fs::read_dir(self.path().join(".local/state/lms")) else {
            return false;
        };
        let ledger = files.find_map(|file| {
            let path = file.unwrap().path();
            (path.extension()? == "ledger").then_some(path)
        });
        let select = "SELECT count(*) FROM steps WHERE number = ?1 AND status = 'sent'";
        let count = ledger.map(|path| {
            let database = rusqlite::Connection::open(path)?;
            database.query_row(select, [row], |row| row.get::<_, i64>(0))
        });
        count.is_some_and(|count| count.is_ok_and(|count| count > 0))
    }

    /// The process, not started.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = self.other(env!("CARGO_BIN_EXE_lms"));
        command.args(words(arguments));
        command
    }

    /// A process of another program in the same environment, in which `lms` is found, not started.
    pub(crate) fn other(&self, name: &str) -> Command {
        let folder = Path::new(env!("CARGO_BIN_EXE_lms")).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new(name);
        command
            .env_clear()
            .env("PATH", format!("{}:{path}", folder.display()))
            .env("HOME", self.path())
            .current_dir(self.path())
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command of the shell. Returns `true` if it succeeds.
    pub(crate) fn shell(&self, command: &str) -> bool {
        let status = self.other("sh").args(["-c", command]).status();
        status.unwrap().success()
    }

    /// Writes `config.json` for the taps of a sandbox.
    pub(crate) fn write_tap_config(&self, sandbox: &Sandbox) {
        let config = json!({
            "base_url": sandbox.base_url(),
            "client_id": sandbox.client_id(),
            "client_secret": sandbox.client_secret(),
        });
        self.write("config.json", config.to_string());
    }

    /// Writes `catalog.json`, with which `tap airbyte` reads one stream.
    pub(crate) fn write_airbyte_catalog(&self, stream: &str) {
        let catalog = json!({ "streams": [{
            "stream": { "name": stream, "json_schema": {}, "supported_sync_modes": ["full_refresh"] },
            "sync_mode": "full_refresh",
            "destination_sync_mode": "overwrite",
        }] });
        self.write("catalog.json", catalog.to_string());
    }

    /// Writes a file of the home.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), content).unwrap();
    }

    /// The text of a file of the home.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Runs a statement in a mirror of the home, and returns how many rows it changed.
    pub(crate) fn sql(&self, file: &str, statement: &str) -> usize {
        let database = rusqlite::Connection::open(self.path().join(file)).unwrap();
        database.execute(statement, []).unwrap()
    }

    /// Runs it with an empty stdin.
    pub(crate) fn run(&self, arguments: &str) -> Ran {
        let output = self
            .command(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Ran {
            line: arguments.to_owned(),
            ..Ran::of(output)
        }
    }

    /// Runs it with a text as stdin.
    pub(crate) fn run_with(&self, arguments: &str, stdin: &str) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program may end without reading it.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Runs the command of each row `COMMAND => SENTENCE` of a table, and fails unless it ends with this code, prints nothing,
    /// and says the sentence on stderr.
    #[track_caller]
    pub(crate) fn assert_failures(&self, code: i32, cases: &str) {
        for [command, sentence] in table(cases) {
            self.run(&command).assert_failure(code, &sentence);
        }
    }

    /// The JSON that it prints.
    pub(crate) fn json(&self, arguments: &str) -> Value {
        let ran = self.run(arguments).exits(0);
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            line: String::new(),
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Fails unless the program ended with this code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "lms {}: {self:#?}", self.line);
        self
    }

    /// Fails unless the output contains this text.
    #[track_caller]
    pub(crate) fn assert_stdout(&self, text: &str) {
        assert!(self.stdout.contains(text), "no {text:?} in {self:#?}");
    }

    /// Fails unless stderr contains this text.
    #[track_caller]
    pub(crate) fn assert_stderr(&self, text: &str) {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
    }

    /// Fails unless the program ended with this code, printed nothing, and said this on stderr.
    #[track_caller]
    pub(crate) fn assert_failure(&self, code: i32, sentence: &str) {
        assert_eq!((self.code, &*self.stdout), (code, ""), "{self:#?}");
        self.assert_stderr(sentence);
    }
}

/// The most memory that a process has had, in MB; 0 if it has ended, or this is not Linux.
pub(crate) fn peak_memory(child: &std::process::Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
    let status = status.unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok());
    peak.unwrap_or_default() / 1024
}

/// The rows of a table, one in a line, with `=>` between their cells, in which `\n`, `\r` and `\u{…}` stand for characters.
pub(crate) fn table<const CELLS: usize>(text: &str) -> Vec<[String; CELLS]> {
    let lines = text.lines().map(str::trim);
    let rows = lines.filter(|line| !line.is_empty() && !line.starts_with("# "));
    let cells = |row: &str| -> Vec<_> { row.split("=>").map(cell).collect() };
    rows.map(|row| {
        cells(row)
            .try_into()
            .unwrap_or_else(|_| panic!("not {CELLS} cells: {row}"))
    })
    .collect()
}

pub(crate) fn cell(text: &str) -> String {
    let mut pieces = text.trim().split('\\');
    let mut cell = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (escape, rest) = piece.split_at(1);
        match escape {
            "n" => cell += &format!("\n{rest}"),
            "r" => cell += &format!("\r{rest}"),
            "u" => {
                let (code, rest) = rest[1..].split_once('}').unwrap();
                cell.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
                cell += rest;
            }
            other => cell += &format!("\\{other}{rest}"),
        }
    }
    cell
}

/// Fails unless a JSON object has these members, and perhaps others.
#[track_caller]
pub(crate) fn assert_members(object: &Value, members: &Value) {
    for (name, value) in members.as_object().unwrap() {
        assert_eq!(&object[name], value, "{name} of {object}");
    }
}

/// A sandbox with demo data.
pub(crate) async fn demo() -> Sandbox {
    Sandbox::builder().demo().start().await.unwrap()
}

/// A sandbox with demo data, and `lms` with its credentials.
pub(crate) async fn demo_program() -> (Sandbox, Program) {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    (sandbox, program)
}

/// Adds a fault, such as `listLearners: nth 2: status 400`.
pub(crate) fn fault(sandbox: &Sandbox, rule: &str) {
    sandbox.faults().add(rule).unwrap();
}
