//! What a section found, as it is kept in docs/benchmarks/NAME.json.

use std::{fs, path::Path, time::Duration};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::{machine::Machine, spread::Spread};

/// All that one section found, and where.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Findings {
    pub(crate) machine: Machine,
    pub(crate) seconds: u64,
    pub(crate) parts: Vec<Part>,
}

/// A piece of a section, in the order of the page.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// A paragraph of Markdown.
    Text(String),
    /// A sentence that README.md repeats, figures and all.
    Claim(String),
    Table(Table),
    Plot(Plot),
}

/// Rows of figures.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Table {
    /// The first is over the rows' names.
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
    /// Counted once, as it does not differ from run to run.
    Count(f64, Unit),
    Text(String),
    /// Not measured for this row, or of no meaning.
    None,
}

/// What a figure is of; says how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    /// So many times as much as another.
    Times,
    Seconds,
    Instructions,
    Bytes,
    /// A number of things.
    Items,
    PerSecond,
    /// 1 is the whole.
    Share,
    BytesPerSecond,
}

/// Lines over numbers, one line a subject.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Plot {
    /// The name of its files in docs/benchmarks, without the ending.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) across: Axis,
    pub(crate) up: Axis,
    pub(crate) lines: Vec<Line>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Axis {
    pub(crate) title: String,
    pub(crate) scale: Scale,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scale {
    Linear,
    Logarithmic,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) name: String,
    /// What was reckoned and not measured is drawn dashed.
    pub(crate) kind: LineKind,
    pub(crate) points: Vec<(f64, Spread)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LineKind {
    Measured,
    Ideal,
}

impl Findings {
    pub(crate) fn now(root: &Path, took: Duration, parts: Vec<Part>) -> anyhow::Result<Self> {
        Ok(Self {
            machine: Machine::this(root)?,
            seconds: took.as_secs(),
            parts,
        })
    }

    /// What was found when this section was last measured; `None` when it never was.
    pub(crate) fn load(root: &Path, name: &str) -> anyhow::Result<Option<Self>> {
        let path = file(root, name);
        if !path.exists() {
            return Ok(None);
        }
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let findings = serde_json::from_str(&text).with_context(|| {
            format!(
                "{} was not written by this version; measure it again",
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

fn file(root: &Path, name: &str) -> std::path::PathBuf {
    root.join("docs/benchmarks").join(format!("{name}.json"))
}
