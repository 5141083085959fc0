//! What does it cost to depend on the crates: to build, and to carry around?
//!
//! Each dependent is a package of its own in target/bench/dependents, with a program of a few lines. Its versions are
//! those of the workspace, as far as the workspace has them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use anyhow::{Context as _, ensure};

use crate::{
    Bench, Effort,
    cost::{self, Cost},
    findings::{Cell, Part, Row, Table, Unit},
    page,
    spread::Spread,
    subject::cargo,
};

/// A package that depends on what is measured.
#[derive(Debug, Clone, Copy)]
struct Dependent {
    /// Its folder.
    folder: &'static str,
    /// What it is called in the table.
    name: &'static str,
    /// Its dependencies but for tokio, `ROOT` standing for the workspace.
    dependencies: &'static str,
    /// What its `main` does.
    program: &'static str,
}

const REQWEST: &str = r#"
    let answer = reqwest::get("https://acme.example/api/v1/test").await?;
    println!("{}", answer.text().await?);
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

const PEER: &str = r#"
    let mut tenant = peer_client::apis::configuration::Configuration::new();
    tenant.base_path = "https://acme.example/api/v1".to_owned();
    println!("{:?}", peer_client::apis::o_auth_and_test_api::me(&tenant).await?.name);
"#;

/// What the others are compared with.
const BASE: Dependent = Dependent {
    folder: "reqwest",
    name: "reqwest with its default features",
    dependencies: r#"reqwest = "0.13""#,
    program: REQWEST,
};

/// What calls of a JSON API written by hand depend on.
const BY_HAND: Dependent = Dependent {
    folder: "reqwest-json",
    name: "reqwest with `json`, and serde's derive",
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

/// Those of openapi-generator's client, which there may be none of.
const PEERS: &[Dependent] = &[
    Dependent {
        folder: "openapi-generator",
        name: "openapi-generator's Rust client: native-tls, its default",
        dependencies: r#"peer-client = { path = "ROOT/target/conform/bench-rust/client" }"#,
        program: PEER,
    },
    Dependent {
        folder: "openapi-generator-rustls",
        name: "openapi-generator's Rust client: rustls with aws-lc",
        dependencies: r#"peer-client = { path = "ROOT/target/conform/bench-rust/client", default-features = false, features = ["rustls"] }"#,
        program: PEER,
    },
];

/// What one of them costs.
#[derive(Debug)]
struct Bill {
    dependent: Dependent,
    crates: usize,
    /// Builds from nothing: one, or one a round of those that the claim is about.
    cold: Vec<Built>,
    /// Seconds to build after a change of `main.rs`.
    warm: Vec<f64>,
}

#[derive(Debug)]
struct Built {
    cost: Cost,
    /// Bytes of the program.
    size: f64,
    stripped: f64,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let place = bench.root.join("target/bench/dependents");
    let mut bills = Vec::new();
    // All of them before the first is built: what cannot be resolved is seen at once.
    for dependent in chosen(bench)? {
        let folder = dependent.write(&bench.root, &place)?;
        bills.push(Bill {
            dependent,
            crates: crates(&folder)
                .with_context(|| format!("the crates of {}", dependent.folder))?,
            cold: Vec::new(),
            warm: Vec::new(),
        });
    }
    for round in 0..bench.either(4, 1) {
        for bill in &mut bills {
            let dependent = bill.dependent;
            let compared = [BASE.folder, BY_HAND.folder, OURS.folder].contains(&dependent.folder);
            // A TLS takes minutes to build, and shows no more of whether all this works.
            let cheap = dependent.folder == WITHOUT_TLS.folder;
            if (round == 0 || compared) && (bench.effort == Effort::Full || cheap) {
                let built = cold(&place.join(dependent.folder))
                    .with_context(|| format!("building {}", dependent.folder))?;
                bill.cold.push(built);
            }
        }
    }
    for _ in 0..bench.either(5, 1) {
        for bill in bills.iter_mut().filter(|bill| !bill.cold.is_empty()) {
            bill.warm.push(warm(&place.join(bill.dependent.folder))?);
        }
    }
    Ok(parts(&bills))
}

fn chosen(bench: &Bench) -> anyhow::Result<Vec<Dependent>> {
    let mut chosen = DEPENDENTS.to_vec();
    if bench.effort == Effort::Full {
        cost::of(
            cargo()
                .args(["run", "--quiet", "--package", "xtask", "--", "peers"])
                .current_dir(&bench.root),
        )
        .context("making openapi-generator's client")?;
    }
    if bench.root.join("target/conform/bench-rust/client").exists() {
        chosen.extend(PEERS);
    }
    Ok(chosen)
}

impl Dependent {
    /// Writes the package, and gives back its folder.
    fn write(self, root: &Path, place: &Path) -> anyhow::Result<PathBuf> {
        let Self {
            dependencies,
            program,
            ..
        } = self;
        let folder = place.join(self.folder);
        let root = root.to_str().context("the workspace's path is no text")?;
        let dependencies = dependencies.replace("ROOT", root);
        fs::create_dir_all(folder.join("src"))?;
        fs::write(
            folder.join("Cargo.toml"),
            format!(
                r#"
[package]
name = "dependent"
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
        // The versions of the workspace; cargo strikes out what this package does not need.
        fs::copy(
            Path::new(root).join("Cargo.lock"),
            folder.join("Cargo.lock"),
        )?;
        Ok(folder)
    }
}

/// How many packages are built for it, itself included.
fn crates(folder: &Path) -> anyhow::Result<usize> {
    let output = alone(folder)
        .args(["tree", "--edges", "normal,build", "--prefix", "none"])
        .args(["--format", "{p}"])
        .output()
        .context("cannot run cargo")?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let tree = String::from_utf8(output.stdout)?;
    let packages: BTreeSet<_> = tree
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .filter(|line| !line.is_empty())
        .collect();
    Ok(packages.len())
}

/// Builds it from nothing.
fn cold(folder: &Path) -> anyhow::Result<Built> {
    // What is downloaded is not measured.
    cost::of(alone(folder).arg("fetch"))?;
    let target = folder.join("target");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    let cost = cost::of(&mut build(folder))?;
    let program = target.join("release/dependent");
    let stripped = target.join("stripped");
    cost::of(Command::new("strip").arg("-o").arg(&stripped).arg(&program))
        .context("`strip` is part of binutils")?;
    Ok(Built {
        cost,
        size: bytes(&program)?,
        stripped: bytes(&stripped)?,
    })
}

/// Builds it once more after a change of its one file.
fn warm(folder: &Path) -> anyhow::Result<f64> {
    let main = fs::File::open(folder.join("src/main.rs"))?;
    main.set_modified(SystemTime::now())?;
    Ok(cost::of(&mut build(folder))?.wall)
}

fn build(folder: &Path) -> Command {
    let mut cargo = alone(folder);
    cargo.args(["build", "--release", "--quiet"]);
    cargo
}

/// A cargo that knows nothing of the one that runs this program.
fn alone(folder: &Path) -> Command {
    let mut cargo = cargo();
    for variable in [
        "CARGO_BUILD_JOBS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_INCREMENTAL",
        "CARGO_TARGET_DIR",
        "RUSTC_WRAPPER",
        "RUSTFLAGS",
    ] {
        cargo.env_remove(variable);
    }
    cargo
        .current_dir(folder)
        .arg("--config")
        .arg("build.target-dir='target'");
    cargo
}

#[expect(
    clippy::cast_precision_loss,
    reason = "no program has so many bytes that it matters"
)]
fn bytes(file: &Path) -> anyhow::Result<f64> {
    Ok(fs::metadata(file)?.len() as f64)
}

fn parts(bills: &[Bill]) -> Vec<Part> {
    let base = builds(bills, BASE);
    let mut rows: Vec<_> = bills.iter().map(|bill| row(bill, base)).collect();
    if bills.iter().all(|bill| bill.dependent.program != PEER) {
        rows.extend(PEERS.iter().map(|peer| {
            let mut cells = vec![Cell::Text("not measured".to_owned())];
            cells.resize_with(COLUMNS.len() - 1, || Cell::None);
            Row {
                name: peer.name.to_owned(),
                cells,
            }
        }));
    }
    let mut parts = vec![
        Part::Text(
            "A program of a few lines in a package of its own, built for release as cargo does it by itself. Each \
             was built from nothing: lms-ext with its defaults, reqwest with its own, and reqwest with what calls \
             written by hand need, several times in turn; the others once, so that their times are rough. After that \
             its one file was changed and it was built again, in turn with the others. The ratios are to reqwest with \
             its default features, which has the same TLS as lms-ext's default, build by build."
                .to_owned(),
        ),
        Part::Table(Table {
            columns: COLUMNS.map(str::to_owned).to_vec(),
            rows,
        }),
    ];
    parts.extend(conclusion(bills, base).map(Part::Claim));
    parts
}

const COLUMNS: [&str; 9] = [
    "dependent on",
    "crates",
    "first build, processor time",
    "to reqwest",
    "first build, on the clock",
    "next build, on the clock",
    "program",
    "to reqwest",
    "program, stripped",
];

fn row(bill: &Bill, base: &[Built]) -> Row {
    let timed = |of: fn(&Built) -> f64| {
        let times: Vec<_> = bill.cold.iter().map(of).collect();
        Spread::of(&times).map_or(Cell::None, |times| Cell::Figure(times, Unit::Seconds))
    };
    // Bytes are the same in every round.
    let counted = |of: fn(&Built) -> f64| {
        let built = bill.cold.first();
        built.map_or(Cell::None, |built| Cell::Count(of(built), Unit::Bytes))
    };
    let crates = u32::try_from(bill.crates).map_or(Cell::None, |crates| {
        Cell::Count(f64::from(crates), Unit::Items)
    });
    Row {
        name: bill.dependent.name.to_owned(),
        cells: vec![
            crates,
            timed(|built| built.cost.processor),
            ratio(&bill.cold, base, |built| built.cost.processor)
                .map_or(Cell::None, |ratio| Cell::Figure(ratio, Unit::Times)),
            timed(|built| built.cost.wall),
            Spread::of(&bill.warm).map_or(Cell::None, |warm| Cell::Figure(warm, Unit::Seconds)),
            counted(|built| built.size),
            ratio(&bill.cold, base, |built| built.size)
                .map_or(Cell::None, |ratio| Cell::Count(ratio.median, Unit::Times)),
            counted(|built| built.stripped),
        ],
    }
}

/// A dependent's builds compared with those of the base, round by round.
fn ratio(ours: &[Built], base: &[Built], of: fn(&Built) -> f64) -> Option<Spread> {
    let figures = |builds: &[Built]| builds.iter().map(of).collect::<Vec<_>>();
    Spread::of_ratios(&figures(ours), &figures(base))
}

/// Whether the defaults cost a dependent more than reqwest's own, and than calls written by hand.
fn conclusion(bills: &[Bill], base: &[Built]) -> Option<String> {
    let ours = builds(bills, OURS);
    let times =
        |base, of| ratio(ours, base, of).map(|ratio| page::figure(ratio.median, Unit::Times));
    let by_hand = builds(bills, BY_HAND);
    Some(format!(
        "With its default features, lms-ext costs the program that depends on it {} the build (processor time) and {} \
         the bytes of reqwest with its own; and {} and {} of what calls of a JSON API written by hand take, which is \
         reqwest with `json`, and serde's derive.",
        times(base, |built| built.cost.processor)?,
        times(base, |built| built.size)?,
        times(by_hand, |built| built.cost.processor)?,
        times(by_hand, |built| built.size)?
    ))
}

/// The builds from nothing of one of them.
fn builds(bills: &[Bill], of: Dependent) -> &[Built] {
    bills
        .iter()
        .find(|bill| bill.dependent.folder == of.folder)
        .map_or(&[], |bill| &bill.cold)
}
