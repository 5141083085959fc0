//! `--jq`: filters objects with jaq. Only this file knows its crates.

use jaq_core::{
    Compiler, Ctx, Filter, Vars, data,
    load::{Arena, File, Loader, parse},
    unwrap_valr,
};
use jaq_json::{Val, read};

use crate::failure::Failure;

/// Formats of jq that jaq does not have.
const FORMATS: &str = r#"
def scalar_text: if . == null then "" elif type == "array" or type == "object" then error("only texts, numbers and booleans can be values of a row") else tostring end;
def replaced($text; $by): split($text) | join($by);
def @csv: map(if type == "string" then "\"" + replaced("\""; "\"\"") + "\"" else scalar_text end) | join(",");
def @tsv: map(if type == "string" then replaced("\\"; "\\\\") | replaced("\t"; "\\t") | replaced("\n"; "\\n") | replaced("\r"; "\\r") else scalar_text end) | join("\t");
"#;

/// Depth of nesting above which a value is refused: jaq reads and prints each level by a call, and would overflow the stack.
const MAX_DEPTH: usize = 256;

/// A compiled filter.
pub(crate) struct Jq(Filter<data::JustLut<Val>>);

impl Jq {
    /// Compiles a filter.
    ///
    /// # Errors
    ///
    /// Usage, if it is not valid.
    pub(crate) fn new(code: &str) -> Result<Self, Failure> {
        let invalid = || {
            Failure::usage(format!("--jq: the filter is not valid: {code}"))
                .advice("see https://jqlang.org/manual")
        };
        let defs = jaq_core::defs()
            .chain(jaq_std::defs())
            .chain(jaq_json::defs())
            .chain(parse(FORMATS, |parser| parser.defs()).unwrap_or_default());
        let funs = jaq_core::funs()
            .chain(jaq_std::funs())
            .chain(jaq_json::funs());
        let arena = Arena::default();
        let modules = Loader::new(defs)
            .load(&arena, File { code, path: () })
            .map_err(|_| invalid())?;
        let filter = Compiler::default().with_funs(funs).compile(modules);
        filter.map(Self).map_err(|_| invalid())
    }

    /// Applies the filter to JSON. Returns a line for each result: a string as its text, all others as JSON.
    ///
    /// # Errors
    ///
    /// Refused input: usage, with the filter's own message.
    pub(crate) fn lines(&self, json: &str) -> Result<Vec<String>, Failure> {
        if depth(json) > MAX_DEPTH {
            return Err(Failure::usage(format!(
                "--jq: the response is nested deeper than {MAX_DEPTH} levels; leave out the filter"
            )));
        }
        let input = read::parse_single(json.as_bytes())
            .map_err(|error| Failure::fault(format!("--jq: the response is not JSON: {error}")))?;
        let context = Ctx::<data::JustLut<Val>>::new(&self.0.lut, Vars::new([]));
        self.0
            .id
            .run((context, input))
            .map(unwrap_valr)
            .map(|result| match result {
                Ok(Val::TStr(text)) => Ok(String::from_utf8_lossy(&text).into_owned()),
                Ok(value) => Ok(value.to_string()),
                Err(error) => Err(Failure::usage(format!("--jq: {error}"))),
            })
            .collect()
    }
}

/// Depth of nested arrays and objects in JSON.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_gives_lines() {
        let lines = |code: &str, json: &str| Jq::new(code).and_then(|jq| jq.lines(json));
        assert_eq!(
            lines(".a[]", r#"{"a":["x",1,{"b":null}]}"#).unwrap(),
            ["x", "1", r#"{"b":null}"#]
        );
        assert_eq!(
            lines(".n", r#"{"n":123456789012345678901}"#).unwrap(),
            ["123456789012345678901"]
        );
        assert!(lines("select(false)", "{}").unwrap().is_empty());
        let row = r#"{"a":["x \"y\"\t\\",1.50,true,null]}"#;
        assert_eq!(
            lines(".a | @csv", row).unwrap(),
            ["\"x \"\"y\"\"\t\\\",1.50,true,"]
        );
        assert_eq!(
            lines(".a | @tsv", row).unwrap(),
            ["x \"y\"\\t\\\\\t1.50\ttrue\t"]
        );
        assert!(lines("[[1]] | @csv", "{}").is_err());
        assert!(lines(".a |", "{}").is_err());
        assert!(lines(".a.b", r#"{"a":1}"#).is_err());
    }

    #[test]
    fn a_deep_value_is_an_error_and_brackets_in_text_are_not_deep() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let jq = Jq::new(".").unwrap();
        assert_eq!(jq.lines(&nested(MAX_DEPTH)).unwrap(), [nested(MAX_DEPTH)]);
        for levels in [MAX_DEPTH + 1, 1_000_000] {
            let failure = jq.lines(&nested(levels)).unwrap_err();
            assert!(failure.message().contains("nested deeper"));
        }
        let text = serde_json::to_string(&["\"[".repeat(1000)]).unwrap();
        assert_eq!(jq.lines(&text).unwrap(), [text]);
    }
}
