//! Query parameters.
//!
//! Unknown parameters are rejected: if the typo in `DELETE /enrolments?usr=l1&course=c1` were ignored, the request would
//! delete all enrolments in the course.

use super::problem::{Problem, quote};

/// The decoded query of a request.
#[derive(Debug, Default)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    /// Decodes `query`; 400 if a parameter is not in `allowed` or is repeated. Only `tags` may be repeated.
    pub(crate) fn parse(query: Option<&str>, allowed: &[&str]) -> Result<Self, Problem> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            if !allowed.contains(&name.as_ref()) {
                let known = match allowed {
                    [] => "none".into(),
                    some => some.join(", "),
                };
                let quoted = quote(&name);
                let message = format!("there is no query parameter {quoted}; use one of: {known}");
                return Err(Problem::bad_query(&name, message));
            }
            if name != "tags" && pairs.iter().any(|(known, _)| *known == name) {
                let message = format!("{name} is repeated; send it once");
                return Err(Problem::bad_query(&name, message));
            }
            pairs.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self { pairs })
    }

    /// The value of a parameter.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// All values of a parameter that may be repeated.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.pairs
            .iter()
            .filter(move |(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// A boolean parameter.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, Problem> {
        match self.text(name) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => {
                let message = format!("{name} is {}; use true or false, or omit it", quote(other));
                Err(Problem::bad_query(name, message))
            }
        }
    }

    /// A parameter that must have one of these values.
    pub(crate) fn one_of<'a>(
        &self,
        name: &str,
        values: &[&'a str],
    ) -> Result<Option<&'a str>, Problem> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        if let Some(value) = values.iter().find(|value| **value == text) {
            return Ok(Some(value));
        }
        let message = format!(
            "{name} is {}; use one of {}, or omit it",
            quote(text),
            values.join(", ")
        );
        Err(Problem::bad_query(name, message))
    }
}
