//! The words of a line as a shell passes them for completion, and values as it needs them.
//!
//! bash passes words as they were typed, and puts a value into the line as it is. zsh and fish quote values themselves. Of
//! other shells, it is not known.

use std::ffi::OsString;

/// Characters that a name in double or single quotes cannot have in every shell.
const SPECIAL: [char; 6] = ['"', '\'', '$', '`', '\\', '!'];

/// The way to write a value as one word of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// With a backslash before each character that means something.
    Backslashes,
    /// The word has an opening quote.
    InQuotes,
    /// The shell does it.
    ByShell,
    /// Not at all.
    None,
}

impl Quoting {
    /// The way of a shell. The words of the line become what they mean, as far as they are compared with values.
    pub(super) fn of(shell: &str, words: &mut [OsString]) -> Self {
        let Some((last, others)) = words.split_last_mut() else {
            return Self::None;
        };
        // fish has done so with the others.
        if matches!(shell, "bash" | "zsh") {
            others.iter_mut().for_each(unquote);
        }
        match shell {
            "zsh" | "fish" => {
                unquote(last);
                Self::ByShell
            }
            "bash" if last.to_string_lossy().starts_with(['"', '\'']) => {
                unquote(last);
                Self::InQuotes
            }
            "bash" => Self::Backslashes,
            _ => Self::None,
        }
    }

    /// A value for the line; `None` if it would be more than a word, or not be seen as it is.
    pub(super) fn word(self, text: &str) -> Option<String> {
        if is_plain(text) {
            return Some(text.to_owned());
        }
        let is_seen =
            |c: char| c.is_alphanumeric() || c == ' ' || c.is_ascii_punctuation() || is_dash(c);
        if text.is_empty() || text.starts_with(['-', '~', ' ']) || text.ends_with(' ') {
            return None;
        }
        let escaped = |c: char| match is_plain_char(c) || !c.is_ascii() {
            true => c.to_string(),
            false => format!("\\{c}"),
        };
        match self {
            _ if !text.chars().all(is_seen) => None,
            Self::Backslashes => Some(text.chars().map(escaped).collect()),
            Self::InQuotes => (!text.contains(SPECIAL)).then(|| text.to_owned()),
            Self::ByShell => Some(text.to_owned()),
            Self::None => None,
        }
    }
}

/// The dashes of names such as "Safety – part 1".
fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}')
}

fn is_plain_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '@' | '+' | '-')
}

/// Text that is the same word in every shell.
pub(super) fn is_plain(text: &str) -> bool {
    text.chars().all(is_plain_char) && !text.is_empty() && !text.starts_with('-')
}

/// Removes backslashes and quotes, also one that is not closed.
fn unquote(word: &mut OsString) {
    let Some(text) = word.to_str() else { return };
    let (mut plain, mut quote) = (String::new(), None);
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => plain.extend(characters.next()),
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (c, _) => plain.push(c),
        }
    }
    *word = plain.into();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_would_be_no_word_is_not_offered() {
        use Quoting::{Backslashes, ByShell, InQuotes, None as Other};
        let all = [Backslashes, InQuotes, ByShell, Other];
        for (text, expected) in [
            ("c1", [Some("c1"); 4]),
            ("jo@acme.example", [Some("jo@acme.example"); 4]),
            (
                "Fire safety",
                [
                    Some("Fire\\ safety"),
                    Some("Fire safety"),
                    Some("Fire safety"),
                    None,
                ],
            ),
            (
                "$(reboot)",
                [Some("\\$\\(reboot\\)"), None, Some("$(reboot)"), None],
            ),
            ("Don't", [Some("Don\\'t"), None, Some("Don't"), None]),
            ("a\\b", [Some("a\\\\b"), None, Some("a\\b"), None]),
            (
                "Höhe – 1",
                [
                    Some("Höhe\\ –\\ 1"),
                    Some("Höhe – 1"),
                    Some("Höhe – 1"),
                    None,
                ],
            ),
            ("-x", [None; 4]),
            ("-x y", [None; 4]),
            ("~root", [None; 4]),
            ("a\nb", [None; 4]),
            ("a\tb", [None; 4]),
            ("a\u{202e}b", [None; 4]),
            ("a\u{a0}b", [None; 4]),
            (" a", [None; 4]),
            ("", [None; 4]),
        ] {
            let found = all.map(|quoting| quoting.word(text));
            assert_eq!(found.each_ref().map(Option::as_deref), expected, "{text}");
        }
    }

    #[test]
    fn words_are_compared_as_they_are_meant() {
        for (shell, words, quoting, expected) in [
            (
                "bash",
                "a\\ b|Fire\\ s",
                Quoting::Backslashes,
                "a b|Fire\\ s",
            ),
            ("bash", "'a b'|\"Fire s", Quoting::InQuotes, "a b|Fire s"),
            ("zsh", "a\\ b|Don\\'t\\ ", Quoting::ByShell, "a b|Don't "),
            ("fish", "Don't|'Fire s", Quoting::ByShell, "Don't|Fire s"),
            ("elvish", "a\\|b\\", Quoting::None, "a\\|b\\"),
        ] {
            let mut words: Vec<OsString> = words.split('|').map(OsString::from).collect();
            assert_eq!(Quoting::of(shell, &mut words), quoting, "{shell}");
            let words: Vec<_> = words.iter().map(|word| word.to_str().unwrap()).collect();
            assert_eq!(words.join("|"), expected, "{shell}");
        }
    }
}
