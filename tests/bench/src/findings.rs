//! The results of a section, as they are saved in docs/benchmarks/NAME.json.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::{machine::Machine, spread::Spread, units::Unit};

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Findings {
    pub(crate) machine: Machine,
    pub(crate) seconds: u64,
    pub(crate) parts: Vec<Part>,
}

/// A piece of a section, in the order of the report.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// A paragraph of Markdown.
    Text(String),
    /// A sentence that README.md repeats.
    Claim(String),
    Table(Table),
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Table {
    /// The first is above the names of the rows.
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) cells: Vec<Cell>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cell {
    Figure(Spread, Unit),
    /// Counted or calculated once.
    Count(f64, Unit),
    Text(String),
    /// Not measured for this row.
    None,
}

impl Part {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn table<C: Into<String>>(
        columns: impl IntoIterator<Item = C>,
        rows: Vec<Row>,
    ) -> Self {
        Self::Table(Table {
            columns: columns.into_iter().map(Into::into).collect(),
            rows,
        })
    }
}

impl Row {
    pub(crate) fn new(name: impl Into<String>, cells: Vec<Cell>) -> Self {
        Self {
            name: name.into(),
            cells,
        }
    }
}

impl Cell {
    pub(crate) fn figure(figures: &[f64], unit: Unit) -> Self {
        Self::spread(Spread::of(figures), unit)
    }

    pub(crate) fn ratio(figures: &[f64], to: &[f64]) -> Self {
        Self::spread(Spread::of_ratios(figures, to), Unit::Times)
    }

    fn spread(spread: Option<Spread>, unit: Unit) -> Self {
        spread.map_or(Self::None, |spread| Self::Figure(spread, unit))
    }
}

impl Findings {
    pub(crate) fn now(root: &Path, took: Duration, parts: Vec<Part>) -> anyhow::Result<Self> {
        Ok(Self {
            machine: Machine::this(root)?,
            seconds: took.as_secs(),
            parts,
        })
    }

    /// Returns the saved findings, or `None` when this section was never measured.
    pub(crate) fn load(root: &Path, name: &str) -> anyhow::Result<Option<Self>> {
        let path = file(root, name);
        if !path.exists() {
            return Ok(None);
        }
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let findings = serde_json::from_str(&text).with_context(|| {
            format!(
                "{} was written by another version; measure that section again",
                path.display()
            )
        })?;
        Ok(Some(findings))
    }

    pub(crate) fn save(&self, root: &Path, name: &str) -> anyhow::Result<()> {
        let path = file(root, name);
        let text = serde_json::to_string_pretty(self)? + "\n";
        fs::create_dir_all(root.join("docs/benchmarks"))?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

fn file(root: &Path, name: &str) -> PathBuf {
    root.join("docs/benchmarks").join(format!("{name}.json"))
}
