//! Reads the file operations of a program from the output of `strace -f -xx`.
//!
//! Calls of several threads are in the order in which they returned. A call that this does not know, and that changes a file,
//! fails the test: it would be missing on the simulated disk.

use std::{
    collections::HashMap,
    io::{Write as _, stdout},
};

/// Writes a line that is in the trace.
pub fn say(line: &str) {
    stdout()
        .write_all(format!("\n{line}\n").as_bytes())
        .unwrap();
    stdout().flush().unwrap();
}

/// An operation on files. Files are named by the number of the open file, which is not used again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    Open {
        file: usize,
        path: String,
        create: bool,
        truncate: bool,
    },
    Write {
        file: usize,
        at: Offset,
        bytes: Vec<u8>,
    },
    Truncate {
        file: usize,
        length: usize,
    },
    Sync {
        file: usize,
    },
    Rename {
        from: String,
        to: String,
    },
    Link {
        from: String,
        to: String,
    },
    Remove {
        path: String,
    },
    MakeFolder {
        path: String,
    },
    /// A line that the program wrote to its standard output.
    Said(String),
}

/// The target of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offset {
    At(usize),
    End,
}

/// An open file of the program.
#[derive(Clone, Debug)]
struct Open {
    file: usize,
    path: String,
    position: usize,
    append: bool,
}

/// The calls to trace: everything with a path or a descriptor.
pub const CALLS: &str = "trace=%file,%desc";

#[derive(Default)]
struct Reader {
    operations: Vec<Operation>,
    open: HashMap<i64, Open>,
    files: usize,
    said: Vec<u8>,
}

/// The operations of a program.
pub fn read(trace: &str) -> Vec<Operation> {
    let mut reader = Reader::default();
    let mut unfinished: HashMap<&str, &str> = HashMap::new();
    for line in trace.lines() {
        let (thread, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        if let Some(start) = call.strip_suffix("<unfinished ...>") {
            unfinished.insert(thread, start);
        } else if call.starts_with("<... ") {
            let (_, end) = call.split_once("resumed>").unwrap();
            let start = unfinished.remove(thread).unwrap();
            reader.call(&format!("{start}{end}"));
        } else {
            reader.call(call);
        }
    }
    reader.operations
}

/// The text of a string of which each byte is `\x..`.
fn unquote(text: &str) -> Vec<u8> {
    assert!(!text.ends_with("..."), "strace has truncated a string");
    let text = text.trim().trim_matches('"');
    let bytes = text.split("\\x").skip(1);
    bytes
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

impl Reader {
    fn call(&mut self, call: &str) {
        let Some((name, rest)) = call.split_once('(') else {
            return;
        };
        let Some((arguments, result)) = rest.rsplit_once(") ") else {
            return;
        };
        let result = result.trim_start().trim_start_matches("= ");
        let result = result.split(' ').next().unwrap();
        let Ok(result) = result.parse::<i64>() else {
            return;
        };
        if result >= 0 {
            let arguments: Vec<&str> = arguments.split(", ").collect();
            self.succeeded(name, &arguments, result);
        }
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each system call")]
    fn succeeded(&mut self, name: &str, arguments: &[&str], result: i64) {
        match name {
            "open" => self.open(&["AT_FDCWD", arguments[0], arguments[1]], result),
            "creat" => self.open(
                &["AT_FDCWD", arguments[0], "O_WRONLY|O_CREAT|O_TRUNC"],
                result,
            ),
            "openat" => self.open(arguments, result),
            "close" => {
                self.open.remove(&number(arguments[0]));
            }
            "dup" => self.duplicate(arguments[0], result),
            "fcntl" if arguments[1].starts_with("F_DUPFD") => self.duplicate(arguments[0], result),
            "lseek" => {
                if let Some(open) = self.open.get_mut(&number(arguments[0])) {
                    open.position = size(result);
                }
            }
            "read" => {
                if let Some(open) = self.open.get_mut(&number(arguments[0])) {
                    open.position += size(result);
                }
            }
            "write" => self.write(arguments, None),
            "pwrite64" => self.write(arguments, Some(size(number(arguments[3])))),
            "ftruncate" => self.on_file(arguments[0], |file| Operation::Truncate {
                file,
                length: size(number(arguments[1])),
            }),
            "fsync" | "fdatasync" => self.on_file(arguments[0], |file| Operation::Sync { file }),
            "rename" => self.rename(arguments[0], arguments[1]),
            "renameat" | "renameat2" => self.rename(arguments[1], arguments[3]),
            "link" | "linkat" => {
                let paths = if name == "link" { [0, 1] } else { [1, 3] };
                let [from, to] = paths.map(|index| path(arguments[index]));
                self.operations.push(Operation::Link { from, to });
            }
            "unlink" | "rmdir" => self.operations.push(Operation::Remove {
                path: path(arguments[0]),
            }),
            "unlinkat" => {
                let path = self.path_at(arguments[0], arguments[1]);
                self.operations.push(Operation::Remove { path });
            }
            "mkdir" => self.operations.push(Operation::MakeFolder {
                path: path(arguments[0]),
            }),
            "mkdirat" => self.operations.push(Operation::MakeFolder {
                path: path(arguments[1]),
            }),
            // The shared memory next to a write-ahead log is built anew after a crash.
            "mmap"
                if arguments.len() > 4
                    && arguments[3].contains("MAP_SHARED")
                    && arguments[2].contains("PROT_WRITE") =>
            {
                let open = self.open.get(&number(arguments[4]));
                assert!(
                    open.is_none_or(|open| open.path.ends_with("-shm")),
                    "{open:?} is mapped"
                );
            }
            "writev" | "pwritev" | "pwritev2" | "copy_file_range" | "sendfile" | "splice"
            | "truncate" | "symlink" | "symlinkat" | "dup2" | "dup3" => {
                let open = self.open.get(&number(arguments[0]));
                assert!(
                    open.is_none() && !name.starts_with("sym"),
                    "{name} is not simulated: {arguments:?}"
                );
            }
            _ => {}
        }
    }

    fn open(&mut self, arguments: &[&str], result: i64) {
        let (path, flags) = (self.path_at(arguments[0], arguments[1]), arguments[2]);
        let file = self.files;
        self.files += 1;
        let (create, truncate) = (flags.contains("O_CREAT"), flags.contains("O_TRUNC"));
        let append = flags.contains("O_APPEND");
        self.open.insert(
            result,
            Open {
                file,
                path: path.clone(),
                position: 0,
                append,
            },
        );
        self.operations.push(Operation::Open {
            file,
            path,
            create,
            truncate,
        });
    }

    fn duplicate(&mut self, of: &str, result: i64) {
        if let Some(open) = self.open.get(&number(of)).cloned() {
            self.open.insert(result, open);
        }
    }

    fn write(&mut self, arguments: &[&str], at: Option<usize>) {
        let (descriptor, bytes) = (number(arguments[0]), unquote(arguments[1]));
        if let Some(open) = self.open.get_mut(&descriptor) {
            let at = match at {
                None if open.append => Offset::End,
                at => Offset::At(at.unwrap_or(open.position)),
            };
            if let Offset::At(at) = at {
                open.position = at + bytes.len();
            }
            self.operations.push(Operation::Write {
                file: open.file,
                at,
                bytes,
            });
        } else if descriptor == 1 {
            self.said.extend(bytes);
            while let Some(end) = self.said.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.said.drain(..=end).collect();
                let line = String::from_utf8(line).unwrap().trim_end().to_owned();
                self.operations.push(Operation::Said(line));
            }
        }
    }

    fn on_file(&mut self, descriptor: &str, operation: impl FnOnce(usize) -> Operation) {
        if let Some(open) = self.open.get(&number(descriptor)) {
            self.operations.push(operation(open.file));
        }
    }

    fn rename(&mut self, from: &str, to: &str) {
        let (from, to) = (path(from), path(to));
        self.operations.push(Operation::Rename { from, to });
    }

    fn path_at(&self, folder: &str, name: &str) -> String {
        let name = path(name);
        match self.open.get(&number(folder)) {
            Some(folder) if !name.starts_with('/') => format!("{}/{name}", folder.path),
            _ => name,
        }
    }
}

fn path(argument: &str) -> String {
    String::from_utf8(unquote(argument)).unwrap()
}

fn number(argument: &str) -> i64 {
    argument.trim().parse().unwrap_or(-1)
}

fn size(number: i64) -> usize {
    usize::try_from(number).unwrap()
}
