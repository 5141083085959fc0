//! What do the query parameters say?
//!
//! A parameter that the operation does not have is refused rather than ignored: `DELETE /enrolments?usr=l1&course=c1`
//! with its typing error ignored would empty the course.

use super::problem::{Problem, quote};

/// The decoded query of one request.
#[derive(Debug, Default)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    /// Decodes `query` and checks that it holds only `allowed` parameters, each once (but `tags`, which repeats).
    pub(crate) fn parse(query: Option<&str>, allowed: &[&str]) -> Result<Self, Problem> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            if !allowed.contains(&name.as_ref()) {
                let known = if allowed.is_empty() {
                    "none".into()
                } else {
                    allowed.join(", ")
                };
                let message = format!(
                    "there is no query parameter {} here; known: {known}",
                    quote(&name)
                );
                return Err(Problem::bad_query(&name, message));
            }
            if name != "tags" && pairs.iter().any(|(known, _)| *known == name) {
                return Err(Problem::bad_query(
                    &name,
                    format!("{name} is given twice; give it once"),
                ));
            }
            pairs.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self { pairs })
    }

    /// A parameter's text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// All texts of a parameter that may be repeated.
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
                let message = format!(
                    "{name} is {}; use true or false, or leave it out",
                    quote(other)
                );
                Err(Problem::bad_query(name, message))
            }
        }
    }

    /// A parameter with a closed set of values.
    pub(crate) fn one_of<'a>(
        &self,
        name: &str,
        values: &[&'a str],
    ) -> Result<Option<&'a str>, Problem> {
        let Some(given) = self.text(name) else {
            return Ok(None);
        };
        if let Some(value) = values.iter().find(|value| **value == given) {
            return Ok(Some(value));
        }
        let message = format!(
            "{name} is {}; use one of {}, or leave it out",
            quote(given),
            values.join(", ")
        );
        Err(Problem::bad_query(name, message))
    }
}
