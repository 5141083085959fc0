//! What does it cost to maintain the crates: to make again what is generated, and to see that it builds?
//!
//! Everything is done in a copy of the workspace, in target/bench/maintainer: the document is changed, and the
//! workspace itself is left alone.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};

use crate::{
    Bench,
    cost::{self, Cost},
    findings::{Cell, Part, Row, Table, Unit},
    spread::Spread,
    subject::cargo,
};

/// Where the document is given a field more.
const LEARNER: &str = "\n    Learner:\n";

/// What a copy of the workspace is not made of: what is built, and what tools leave behind.
const LEFT_OUT: [&str; 4] = ["target", ".git", "node_modules", "__pycache__"];

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let copy = Copy::make(&bench.root)?;
    let cold = cost::of(&mut copy.regen(&[])).context("building and running regen")?;
    // Once before anything is measured, so that only what changes is built later.
    cost::of(&mut copy.compile()).context("checking the crates")?;

    let mut idle = Vec::new();
    let mut check = Vec::new();
    let mut regen = Vec::new();
    let mut compile = Vec::new();
    for round in 0..bench.either(7, 1) {
        idle.push(cost::of(&mut copy.regen(&[]))?);
        check.push(cost::of(&mut copy.regen(&["--check"]))?);
        copy.give_a_learner(&format!("shoe_size_{round}"))?;
        regen.push(cost::of(&mut copy.regen(&[]))?);
        let before = copy.generated()?;
        ensure!(
            before.contains(&format!("shoe_size_{round}")),
            "regen did not take the change in"
        );
        compile.push(cost::of(&mut copy.compile())?);
    }
    Ok(vec![
        Part::Text(
            "From a change of the document to code that compiles, on a maintainer's machine: `regen` is `cargo xtask \
             regen`, cargo's own look at what there is to build included. In each round a learner is given a field \
             that no round before had. The first row is from an empty target directory, and was measured once."
                .to_owned(),
        ),
        Part::Table(Table {
            columns: ["", "on the clock", "processor time"]
                .map(str::to_owned)
                .to_vec(),
            rows: vec![
                row("the first `regen`, the generator's build included", &[cold]),
                row("`regen` with nothing to do", &idle),
                row("`regen --check`", &check),
                row("`regen` after a change of the document", &regen),
                row(
                    "then `cargo check -p lms-client -p lms-ext`",
                    &compile,
                ),
                row("both together", &together(&regen, &compile)),
            ],
        }),
    ])
}

fn together(regen: &[Cost], compile: &[Cost]) -> Vec<Cost> {
    regen
        .iter()
        .zip(compile)
        .map(|(regen, compile)| Cost {
            processor: regen.processor + compile.processor,
            wall: regen.wall + compile.wall,
        })
        .collect()
}

fn row(name: &str, costs: &[Cost]) -> Row {
    let cell = |figure: fn(&Cost) -> f64| {
        let figures: Vec<_> = costs.iter().map(figure).collect();
        Spread::of(&figures).map_or(Cell::None, |spread| Cell::Figure(spread, Unit::Seconds))
    };
    Row {
        name: name.to_owned(),
        cells: vec![cell(|cost| cost.wall), cell(|cost| cost.processor)],
    }
}

/// A copy of the workspace, in which nothing is built yet.
struct Copy {
    folder: PathBuf,
    /// The document as it is in the workspace.
    document: String,
}

impl Copy {
    fn make(root: &Path) -> anyhow::Result<Self> {
        let folder = root.join("target/bench/maintainer");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        copy(root, &folder).context("copying the workspace")?;
        let document = fs::read_to_string(folder.join("spec/openapi.yaml"))?;
        ensure!(
            document.contains(LEARNER),
            "the document has no learner, which is to be changed"
        );
        Ok(Self { folder, document })
    }

    fn regen(&self, arguments: &[&str]) -> std::process::Command {
        let mut cargo = self.cargo();
        cargo
            .args(["run", "--quiet", "--package", "xtask", "--", "regen"])
            .args(arguments);
        cargo
    }

    fn compile(&self) -> std::process::Command {
        let mut cargo = self.cargo();
        cargo.args(["check", "--quiet", "--package", "lms-client"]);
        cargo.args(["--package", "lms-ext"]);
        cargo
    }

    fn cargo(&self) -> std::process::Command {
        let mut cargo = cargo();
        for variable in ["CARGO_TARGET_DIR", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"] {
            cargo.env_remove(variable);
        }
        cargo.current_dir(&self.folder);
        cargo
    }

    /// Gives learners one more field than they have in the workspace.
    fn give_a_learner(&self, field: &str) -> anyhow::Result<()> {
        let (before, learner) = self
            .document
            .split_once(LEARNER)
            .context("the document has no learner")?;
        let (head, fields) = learner
            .split_once("      properties:\n")
            .context("learners have no fields")?;
        let changed = format!(
            "{before}{LEARNER}{head}      properties:\n        {field}:\n          type: string\n          \
             description: What the round before did not have.\n{fields}"
        );
        Ok(fs::write(self.folder.join("spec/openapi.yaml"), changed)?)
    }

    fn generated(&self) -> anyhow::Result<String> {
        Ok(fs::read_to_string(
            self.folder.join("lms-client/src/generated.rs"),
        )?)
    }
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        let (from, to) = (entry.path(), to.join(&name));
        // A link is left out too: nothing that is built here is one.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&from, &to)?;
        } else if kind.is_file() {
            fs::copy(&from, &to)?;
        }
    }
    Ok(())
}
