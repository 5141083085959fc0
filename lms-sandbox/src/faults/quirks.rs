//! Quirks: named rules for unusual behaviour in all operations.

use super::plan::FaultRule;
use crate::error::SandboxError;

/// Each quirk with its rule. A name with `=` takes a number, which is the default for `{}` in the rule.
const QUIRKS: [(&str, &str); 8] = [
    ("rate-limit=7", "all: every {}: rate-limited seconds"),
    ("html-503=11", "GET: every {}: status 503 html"),
    ("empty-pages=3", "lists: every {}: empty-page"),
    ("max-page=3", "lists: always: max-page {}"),
    ("expires-in-string", "getToken: always: expires-in-string"),
    ("nulls", "all: always: nulls"),
    ("extra-fields", "all: always: extra-fields"),
    ("zoneless-timestamps", "all: always: zoneless-timestamps"),
];

/// The rules of the quirks with these names, of which `all` means all. The rules are in the order of the table.
pub(crate) fn rules(names: &[String]) -> Result<Vec<FaultRule>, SandboxError> {
    let is_known = |name: &str| {
        let (word, number) = split(name);
        let known = |(quirk, _): &(&str, &str)| {
            let (known, default) = split(quirk);
            known == word && (number.is_none() || default.is_some())
        };
        name == "all" || QUIRKS.iter().any(known)
    };
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let known = QUIRKS.map(|(quirk, _)| quirk).join(", ");
        return Err(SandboxError::setting(format!(
            "there is no quirk {unknown:?}; use one of: {known}, all"
        )));
    }
    let all = names.iter().any(|name| name == "all");
    let rule = |(quirk, rule): &(&str, &str)| {
        let (word, default) = split(quirk);
        let given = names.iter().rev().map(|name| split(name));
        let number = match given.into_iter().find(|(given, _)| *given == word) {
            Some((_, number)) => number.or(default),
            None if all => default,
            None => return None,
        };
        Some(rule.replace("{}", number.unwrap_or_default()).parse())
    };
    QUIRKS.iter().filter_map(rule).collect()
}

/// The name and the number of a quirk.
fn split(quirk: &str) -> (&str, Option<&str>) {
    quirk
        .split_once('=')
        .map_or((quirk, None), |(name, number)| (name, Some(number)))
}
