//! Messages of the libraries in the words of the command line: operations are called by their commands.
//!
//! The libraries name operations by their ids, such as `list_courses`, which a user of the command line has never seen.

use crate::operations::lookup::of_operation;

/// Advice in messages of the libraries that only a program can follow, and the words that a user can, after a `→`.
const FOR_PROGRAMS: &str = include_str!("wording.txt");

/// A number with its noun: 1 row, 2 rows.
pub(crate) fn count(number: impl TryInto<u64>, noun: &str) -> String {
    // No count of this program is larger.
    let number = number.try_into().unwrap_or(u64::MAX);
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}

/// A text as one argument of a shell.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The message of an error of a call, with the server's message: the user sees the reason for the refusal.
pub(crate) fn of_call(error: &lms_ext::Error) -> String {
    let words = of_commands(&error.to_string());
    match error.message() {
        // The server's own words stay.
        Some(message) => format!("{words}; the server said: {message}"),
        None => words,
    }
}

/// The message of an error of a job.
pub(crate) fn of_job(error: &lms_sync::Error) -> String {
    of_commands(&error.to_string())
}

/// A text of the libraries, with commands instead of operations.
pub(crate) fn of_commands(text: &str) -> String {
    let mut words = String::new();
    let mut rest = text;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        words.push_str(before);
        rest = after;
        match named(word) {
            Some(name) => {
                words.push_str(&name);
                rest = rest.strip_prefix("()").unwrap_or(rest);
            }
            None => words.push_str(word),
        }
    }
    words.push_str(rest);
    let replaced = FOR_PROGRAMS
        .lines()
        .filter_map(|line| line.split_once(" →"));
    replaced.fold(words, |words, (call, option)| {
        words.replace(call, option.trim_start())
    })
}

/// Name of an operation; `None` for any other word.
fn named(word: &str) -> Option<String> {
    if word == "get_token" {
        return Some("token request".to_owned());
    }
    if let Some(method) = word.strip_prefix("undocumented_") {
        return Some(method.to_uppercase());
    }
    let name = of_operation(word)?.name();
    // A command of one word is also an English word, such as test.
    Some(if name == word {
        name
    } else {
        format!("`lms {name}`")
    })
}

#[cfg(test)]
mod tests {
    use lms_ext::OPERATIONS;

    use super::*;
    use crate::operations::lookup::COMMANDS;

    #[test]
    fn advice_to_programs_names_the_option_instead() {
        for (text, expected) in [
            (
                "discard it with `discard_unfinished()`",
                "discard it with --discard-unfinished",
            ),
            (
                "or run with `replace_tenant()`",
                "or run with --replace-tenant",
            ),
            (
                "try again, or allow more with max_stale_pages()",
                "try again, or allow more with --max-stale-pages, if the command has it",
            ),
            (
                "use https, or call allow_plain_http() if the network is trusted",
                "use https",
            ),
        ] {
            assert_eq!(of_commands(text), expected);
        }
    }

    #[test]
    fn no_message_names_an_operation_that_is_no_command() {
        for operation in OPERATIONS {
            let id = operation.id;
            let words = of_commands(&format!("{id}: 404; look for it in {id}(), not in {id}s"));
            let command = COMMANDS.iter().find(|command| command.operation == id);
            let name = command.map(crate::operations::table::Command::name);
            let expected = match (id, name) {
                (_, Some(name)) if name == id => name,
                (_, Some(name)) => format!("`lms {name}`"),
                ("get_token", None) => "token request".to_owned(),
                (id, None) => panic!("{id} has neither a command nor a name"),
            };
            assert_eq!(
                words,
                format!("{expected}: 404; look for it in {expected}, not in {id}s")
            );
        }
    }
}
