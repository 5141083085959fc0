//! Text with the format `duration`.

use std::{fmt, ops::Deref, str::FromStr};

use jiff::Span;
use serde::{Deserialize, Serialize};

/// A duration of ISO 8601, such as `P1M`.
///
/// It dereferences to [`jiff::Span`], and compares unit by unit: `PT60M` differs from `PT1H`. [`Span::compare`] compares
/// lengths.
///
/// ```
/// use lms_client::formats::Duration;
///
/// let month: Duration = serde_json::from_str("\"P1M\"")?;
/// assert_eq!(month.get_months(), 1);
/// assert_ne!("PT60M".parse::<Duration>()?, "PT1H".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Duration(Span);

impl PartialEq for Duration {
    fn eq(&self, other: &Self) -> bool {
        self.0.fieldwise() == other.0.fieldwise()
    }
}

impl Eq for Duration {}

impl From<Span> for Duration {
    fn from(span: Span) -> Self {
        Self(span)
    }
}

impl Deref for Duration {
    type Target = Span;

    fn deref(&self) -> &Span {
        &self.0
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Duration {
    type Err = jiff::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}
