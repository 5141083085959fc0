//! Build time and size of programs that depend on the crates.
//!
//! Each dependent is its own package in target/bench/dependents, with a program of a few lines and the dependency
//! versions of the workspace.

use std::{fs, path::Path};

use anyhow::Context as _;

use crate::{
    bench::{Bench, Effort},
    findings::{Cell, Part, Row},
    package::{Built, PROGRAM, Package},
    spread::{Spread, each},
    units::{self, Unit},
};

#[derive(Debug, Clone, Copy)]
struct Dependent {
    folder: &'static str,
    name: &'static str,
    /// Besides tokio; `ROOT` stands for the path of the workspace.
    dependencies: &'static str,
    /// The body of `main`.
    program: &'static str,
}

const REQWEST: &str = r#"
    let response = reqwest::get("https://acme.example/api/v1/test").await?;
    println!("{}", response.text().await?);
"#;

const HAND_WRITTEN: &str = r#"
    #[derive(serde::Deserialize)]
    struct Me { name: Option<String> }
    let request = reqwest::Client::new().get("https://acme.example/api/v1/oauth/me");
    println!("{:?}", request.bearer_auth("token").send().await?.json::<Me>().await?.name);
"#;

const LMS_CLIENT: &str = r#"
    let token = lms_client::transport::Bearer::new("token")?;
    let client = lms_client::Client::new("https://acme.example/api/v1", token.into());
    println!("{:?}", client.me().send().await?.name);
"#;

const LMS_EXT: &str = r#"
    use lms_ext::prelude::*;
    let lms = Lms::builder("https://acme.example").client_credentials("id", "secret").build()?;
    println!("{:?}", lms.me().call().await?.name);
"#;

const LMS_EXT_RING: &str = r#"
    use lms_ext::prelude::*;
    rustls::crypto::ring::default_provider().install_default().map_err(|_| "there is another")?;
    let lms = Lms::builder("https://acme.example").client_credentials("id", "secret").build()?;
    println!("{:?}", lms.me().call().await?.name);
"#;

/// The others are compared with this one.
const BASE: Dependent = Dependent {
    folder: "reqwest",
    name: "reqwest with its default features",
    dependencies: r#"reqwest = "0.13""#,
    program: REQWEST,
};

/// The dependencies of a hand-written JSON client.
const BY_HAND: Dependent = Dependent {
    folder: "reqwest-json",
    name: "reqwest with `json`, and serde with `derive`",
    dependencies: r#"
        reqwest = { version = "0.13", features = ["json"] }
        serde = { version = "1", features = ["derive"] }"#,
    program: HAND_WRITTEN,
};

const WITHOUT_TLS: Dependent = Dependent {
    folder: "lms-ext-without-tls",
    name: "lms-ext without TLS",
    dependencies: r#"lms-ext = { path = "ROOT/lms-ext", default-features = false }"#,
    program: LMS_EXT,
};

const OURS: Dependent = Dependent {
    folder: "lms-ext",
    name: "**lms-ext**: rustls with aws-lc",
    dependencies: r#"lms-ext = { path = "ROOT/lms-ext" }"#,
    program: LMS_EXT,
};

const DEPENDENTS: &[Dependent] = &[
    BASE,
    BY_HAND,
    Dependent {
        folder: "lms-client",
        name: "**lms-client**: rustls with aws-lc",
        dependencies: r#"lms-client = { path = "ROOT/lms-client" }"#,
        program: LMS_CLIENT,
    },
    OURS,
    Dependent {
        folder: "lms-ext-ring",
        name: "lms-ext: `rustls-no-provider`, the program installs ring",
        dependencies: r#"
            lms-ext = { path = "ROOT/lms-ext", default-features = false, features = ["rustls-no-provider"] }
            rustls = { version = "0.23", default-features = false, features = ["ring", "std"] }"#,
        program: LMS_EXT_RING,
    },
    Dependent {
        folder: "lms-ext-native-tls",
        name: "lms-ext: `native-tls`",
        dependencies: r#"lms-ext = { path = "ROOT/lms-ext", default-features = false, features = ["native-tls"] }"#,
        program: LMS_EXT,
    },
    WITHOUT_TLS,
];

#[derive(Debug)]
struct Bill {
    dependent: Dependent,
    package: Package,
    crates: usize,
    /// Clean builds: one, or one per round for those in the claim.
    cold: Vec<Built>,
    /// Seconds of a build after a change of `main.rs`.
    warm: Vec<f64>,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let place = bench.root.join("target/bench/dependents");
    let mut bills = Vec::new();
    // Resolves all of them before the first build, so that a mistake is found early.
    for &dependent in DEPENDENTS {
        let package = dependent.write(&bench.root, &place)?;
        bills.push(Bill {
            dependent,
            crates: package
                .crates()
                .with_context(|| format!("the crates of {}", dependent.folder))?,
            package,
            cold: Vec::new(),
            warm: Vec::new(),
        });
    }
    for round in 0..bench.either(4, 1) {
        for bill in &mut bills {
            let dependent = bill.dependent;
            let compared = [BASE.folder, BY_HAND.folder, OURS.folder].contains(&dependent.folder);
            // Building TLS takes minutes, which a smoke run saves.
            let cheap = dependent.folder == WITHOUT_TLS.folder;
            if (round == 0 || compared) && (bench.effort == Effort::Full || cheap) {
                let built = bill
                    .package
                    .cold()
                    .with_context(|| format!("building {}", dependent.folder))?;
                bill.cold.push(built);
            }
        }
    }
    for _ in 0..bench.either(5, 1) {
        for bill in bills.iter_mut().filter(|bill| !bill.cold.is_empty()) {
            let main = bill.package.folder.join("src/main.rs");
            bill.warm.push(bill.package.warm(&main)?);
        }
    }
    Ok(parts(&bills))
}

impl Dependent {
    /// Writes the package.
    fn write(self, root: &Path, place: &Path) -> anyhow::Result<Package> {
        let program = self.program;
        let folder = place.join(self.folder);
        let root = root
            .to_str()
            .context("the path of the workspace is not UTF-8")?;
        let dependencies = self.dependencies.replace("ROOT", root);
        fs::create_dir_all(folder.join("src"))?;
        fs::write(
            folder.join("Cargo.toml"),
            format!(
                r#"
[package]
name = "{PROGRAM}"
edition = "2024"

[workspace]

[dependencies]
tokio = {{ version = "1", features = ["macros", "rt"] }}
{dependencies}
"#
            ),
        )?;
        fs::write(
            folder.join("src/main.rs"),
            format!(
                r#"#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {{{program}    Ok(())
}}
"#
            ),
        )?;
        // The versions of the workspace; cargo removes those that this package does not need.
        fs::copy(
            Path::new(root).join("Cargo.lock"),
            folder.join("Cargo.lock"),
        )?;
        Ok(Package {
            target: folder.join("target"),
            folder,
        })
    }
}

fn parts(bills: &[Bill]) -> Vec<Part> {
    let base = builds(bills, BASE);
    let rows = bills.iter().map(|bill| row(bill, base)).collect();
    let mut parts = vec![
        Part::text(
            "Each program has a few lines, is a package of its own, and is built with cargo's release profile. Three \
             were built from an empty target folder several times in turn: lms-ext with its default features, reqwest \
             with its default features, and reqwest with the features for hand-written calls. The others were built \
             once, so their times are rough. After that, the source file was changed and built again. Ratios compare \
             each build with one of reqwest with its default features, which include the same TLS backend as those of \
             lms-ext.",
        ),
        Part::table(COLUMNS, rows),
    ];
    parts.extend(comparison(bills).map(Part::Text));
    parts
}

const COLUMNS: [&str; 9] = [
    "dependent on",
    "crates",
    "clean build, CPU",
    "to reqwest",
    "clean build, time",
    "next build, time",
    "program",
    "to reqwest",
    "program, stripped",
];

fn row(bill: &Bill, base: &[Built]) -> Row {
    let cold = &bill.cold;
    // Sizes are the same in every round.
    let size = |of: fn(&Built) -> f64| {
        let built = cold.first();
        built.map_or(Cell::None, |built| Cell::Count(of(built), Unit::Bytes))
    };
    let crates = u32::try_from(bill.crates).map_or(Cell::None, |crates| {
        Cell::Count(f64::from(crates), Unit::Items)
    });
    let cpu = ratio(cold, base, |built| built.cost.processor);
    let bytes = ratio(cold, base, |built| built.size);
    Row::new(
        bill.dependent.name,
        vec![
            crates,
            Cell::figure(&each(cold, |built| built.cost.processor), Unit::Seconds),
            cpu.map_or(Cell::None, |ratio| Cell::Figure(ratio, Unit::Times)),
            Cell::figure(&each(cold, |built| built.cost.wall), Unit::Seconds),
            Cell::figure(&bill.warm, Unit::Seconds),
            size(|built| built.size),
            bytes.map_or(Cell::None, |ratio| Cell::Count(ratio.median, Unit::Times)),
            size(|built| built.stripped),
        ],
    )
}

/// Compares the builds with those of the base, round by round.
fn ratio(ours: &[Built], base: &[Built], of: fn(&Built) -> f64) -> Option<Spread> {
    Spread::of_ratios(&each(ours, of), &each(base, of))
}

/// Compares with a program that needs the same: JSON and serde's derive.
fn comparison(bills: &[Bill]) -> Option<String> {
    let by_hand = builds(bills, BY_HAND);
    let ours = builds(bills, OURS);
    let [processor, size] = [
        ratio(ours, by_hand, |built| built.cost.processor)?,
        ratio(ours, by_hand, |built| built.size)?,
    ]
    .map(|ratio| ratio.median);
    Some(format!(
        "Compared with a program with hand-written calls of a JSON API (reqwest's `json`, serde's `derive`), one with \
         lms-ext takes {} CPU time to build, and is {}.",
        units::compared(processor, ["less", "more"]),
        units::compared(size, ["smaller", "larger"])
    ))
}

/// The clean builds of one dependent.
fn builds(bills: &[Bill], of: Dependent) -> &[Built] {
    bills
        .iter()
        .find(|bill| bill.dependent.folder == of.folder)
        .map_or(&[], |bill| &bill.cold)
}
