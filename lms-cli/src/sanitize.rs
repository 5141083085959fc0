//! Removes control characters from text of the service, so that it cannot affect a terminal.

/// Text for a terminal: without the control characters that a terminal obeys, and those that reverse the text.
pub(crate) fn visible(text: &str) -> String {
    let acts = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars()
        .map(|c| if acts(c) { '\u{fffd}' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_control_characters() {
        assert_eq!(
            visible("a\u{1b}[31mb\u{9b}c\u{202e}d\t\n"),
            "a\u{fffd}[31mb\u{fffd}c\u{fffd}d\t\n"
        );
    }
}
