//! Finds a text in another one, as it is or escaped.
//!
//! A response may echo a secret inside JSON (`\/`, `\u0026`, `\"`), HTML (`&amp;`, `&#x27;`, `&uuml;`) or a URL (`%2F`,
//! `+`). Each character is compared in all of these forms, so any mixture of them is found, and JSON inside JSON, too.

use std::collections::BTreeSet;

/// The names of U+00A0 to U+00FF in HTML.
const LATIN_1: [&str; 96] = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf",
    "laquo", "not", "shy", "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro",
    "para", "middot", "cedil", "sup1", "ordm", "raquo", "frac14", "frac12", "frac34", "iquest",
    "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute",
    "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute",
    "Ocirc", "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute",
    "THORN", "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil",
    "egrave", "eacute", "ecirc", "euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde",
    "ograve", "oacute", "ocirc", "otilde", "ouml", "divide", "oslash", "ugrave", "uacute", "ucirc",
    "uuml", "yacute", "thorn", "yuml",
];

/// The first occurrence of `wanted` at or after `from`: where it starts and ends.
pub(super) fn find(text: &str, wanted: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = &text.as_bytes()[from..];
    // Most texts contain no escape.
    if !has_escape(bytes) {
        let at = from + position(bytes, wanted.as_bytes())?;
        return Some((at, at + wanted.len()));
    }
    let first = wanted.chars().next()?;
    text[from..].char_indices().find_map(|(offset, c)| {
        let at = from + offset;
        let possible = c == first || matches!(c, '\\' | '&' | '%' | '+');
        let end = possible.then(|| match_at(text, wanted, at)).flatten()?;
        Some((at, end))
    })
}

/// Whether [`find`] may find one of several texts. Asked for every header of every response, so it is cheap.
pub(super) fn possible(text: &[u8], wanted: &[&str]) -> bool {
    let mut long_enough = wanted
        .iter()
        // No escape is shorter than what it stands for.
        .filter(|wanted| wanted.len() <= text.len())
        .peekable();
    long_enough.peek().is_some()
        && (has_escape(text)
            || long_enough.any(|wanted| position(text, wanted.as_bytes()).is_some()))
}

fn has_escape(text: &[u8]) -> bool {
    // Without an early exit, which the compiler could not vectorize.
    let is_escape = |byte: &u8| matches!(byte, b'\\' | b'&' | b'%' | b'+');
    text.iter()
        .fold(false, |found, byte| found | is_escape(byte))
}

/// Like `str::find`, without its preparations, which cost more than searching a header.
fn position(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = wanted.first()?;
    let mut windows = text.windows(wanted.len());
    windows.position(|window| window.first() == Some(first) && window == wanted)
}

/// Where `wanted` ends if it starts at `at`.
fn match_at(text: &str, wanted: &str, at: usize) -> Option<usize> {
    // Several, because a backslash of the text may be one of the secret or belong to an escape.
    let mut ends = BTreeSet::from([at]);
    for c in wanted.chars() {
        ends = ends
            .into_iter()
            .flat_map(|end| lengths(&text[end..], c).map(move |length| end + length))
            .collect();
        if ends.is_empty() {
            return None;
        }
    }
    ends.pop_last()
}

/// The lengths of the forms of `c` that `text` starts with.
fn lengths(text: &str, c: char) -> impl Iterator<Item = usize> {
    let plain = text.starts_with(c).then(|| c.len_utf8());
    let escaped = match text.as_bytes().first() {
        Some(b'\\') => in_json(text, c),
        Some(b'&') => in_html(text, c),
        Some(b'%') => in_url(text, c),
        Some(b'+') if c == ' ' => Some(1),
        _ => None,
    };
    plain.into_iter().chain(escaped)
}

fn in_json(text: &str, c: char) -> Option<usize> {
    let rest = text.trim_start_matches('\\');
    let backslashes = text.len() - rest.len();
    if c == '\\' {
        // Another one may follow in the secret.
        return (backslashes >= 2).then_some(2);
    }
    let short = match c {
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\u{8}' => 'b',
        '\u{c}' => 'f',
        _ => c,
    };
    let can_be_short = c.is_control() || c.is_ascii_punctuation();
    if can_be_short && rest.starts_with(short) {
        return Some(backslashes + 1);
    }
    let mut length = backslashes;
    for (index, unit) in c.encode_utf16(&mut [0; 2]).iter().enumerate() {
        if index > 0 {
            let rest = &text[length..];
            length += rest.len() - rest.trim_start_matches('\\').len();
        }
        let digits = text.get(length..)?.strip_prefix('u')?.get(..4)?;
        if u16::from_str_radix(digits, 16) != Ok(*unit) {
            return None;
        }
        length += 5;
    }
    Some(length)
}

fn in_html(text: &str, c: char) -> Option<usize> {
    let (name, _) = text.get(1..)?.split_once(';')?;
    let matches = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            code == Ok(u32::from(c))
        }
        None => match c {
            '&' => name == "amp",
            '<' => name == "lt",
            '>' => name == "gt",
            '"' => name == "quot",
            '\'' => name == "apos",
            '\u{a0}'..='\u{ff}' => LATIN_1[c as usize - 0xa0] == name,
            _ => false,
        },
    };
    matches.then_some(name.len() + 2)
}

fn in_url(text: &str, c: char) -> Option<usize> {
    let mut length = 0;
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        let digits = text.get(length..)?.strip_prefix('%')?.get(..2)?;
        if u8::from_str_radix(digits, 16) != Ok(byte) {
            return None;
        }
        length += 3;
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_text_is_found_in_every_form_and_in_mixtures() {
        let wanted = "p/a&s\"s'ü<\\ 😀";
        let html = r"p/a&amp;s&quot;s&#39;&uuml;&lt;\ &#x1F600;";
        for text in [
            wanted,
            r#"p\/a\u0026s\"s'\u00fc<\\ \ud83d\ude00"#,
            r#"p\\\/a\\u0026s\\\"s\u0027\\u00FC\u003c\\ \\uD83D\\uDE00"#,
            html,
            "p&#47;a&#x26;s&#34;s&apos;&#252;&#060;&#92;&#32;&#128512;",
            "p%2fa%26s%22s%27%C3%BC%3C%5C+%F0%9F%98%80",
            "p%2Fa%26s%22s'%c3%bc%3c%5c%20%F0%9F%98%80",
        ] {
            let inside = format!("é&x; \\ % {text}!");
            let start = inside.len() - text.len() - 1;
            let end = inside.len() - 1;
            assert_eq!(find(&inside, wanted, 0), Some((start, end)), "{text}");
            assert_eq!(find(&inside, wanted, start + 1), None, "{text}");
        }
    }

    #[test]
    fn characters_with_a_short_form_are_found() {
        for (text, wanted) in [
            (r"\n\r\t\b\f", "\n\r\t\u{8}\u{c}"),
            ("&lt;&gt;&quot;&apos;&amp;", "<>\"'&"),
            ("&nbsp;&yuml;", "\u{a0}ÿ"),
        ] {
            assert_eq!(find(text, wanted, 0), Some((0, text.len())), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_found() {
        for (text, wanted) in [
            ("abc", "abd"),
            (r"a\u0027", "a&"),
            ("a&lt", "a<"),
            ("a%2", "a/"),
            ("a%zz", "a/"),
            (r"a\u00", "a&"),
            (r"a\ud83d", "a😀"),
            ("", "a"),
            ("a+", "a/"),
            (r"a\b", "ab"),
        ] {
            assert_eq!(find(text, wanted, 0), None, "{text}");
        }
    }

    #[test]
    fn backslashes_of_the_text_itself_are_found() {
        for text in [r"a\b", r"a\\b"] {
            assert_eq!(find(text, r"a\b", 0), Some((0, text.len())), "{text}");
        }
        assert_eq!(find(r"a\\b", r"a\\b", 0), Some((0, 4)));
        assert_eq!(find(r"a\\\\b", r"a\\b", 0), Some((0, 6)));
    }
}
