//! Build time and size of programs that depend on the crates.
//!
//! Each dependent is its own package in target/bench/dependents, with a program of a few lines and the dependency
//! versions of the workspace.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use anyhow::Context as _;

use crate::{
    Bench,
    figures::{Unit, cell, each, ratio, table},
    programs::{cargo, output},
};

/// The name of the program of every package.
const PROGRAM: &str = "dependent";

/// Ticks per second in /proc; the same on every architecture.
const TICKS: f64 = 100.0;

const COLUMNS: &str = "dependent on | crates | clean build, CPU | to reqwest | clean build, time | program | to reqwest";

struct Dependent {
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
    let client = lms_client::Client::new("https://acme.example/api/v1");
    println!("{:?}", client.me().await?.name);
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

/// Each is compared with the first.
const DEPENDENTS: [Dependent; 7] = [
    Dependent {
        name: "reqwest with its default features",
        dependencies: r#"reqwest = "0.13""#,
        program: REQWEST,
    },
    Dependent {
        name: "reqwest with `json`, and serde with `derive`",
        dependencies: r#"
            reqwest = { version = "0.13", features = ["json"] }
            serde = { version = "1", features = ["derive"] }"#,
        program: HAND_WRITTEN,
    },
    Dependent {
        name: "**lms-client**: rustls with aws-lc",
        dependencies: r#"lms-client = { path = "ROOT/lms-client" }"#,
        program: LMS_CLIENT,
    },
    Dependent {
        name: "**lms-ext**: rustls with aws-lc",
        dependencies: r#"lms-ext = { path = "ROOT/lms-ext" }"#,
        program: LMS_EXT,
    },
    Dependent {
        name: "lms-ext: `rustls-no-provider`, the program installs ring",
        dependencies: r#"
            lms-ext = { path = "ROOT/lms-ext", default-features = false, features = ["rustls-no-provider"] }
            rustls = { version = "0.23", default-features = false, features = ["ring", "std"] }"#,
        program: LMS_EXT_RING,
    },
    Dependent {
        name: "lms-ext: `native-tls`",
        dependencies: r#"lms-ext = { path = "ROOT/lms-ext", default-features = false, features = ["native-tls"] }"#,
        program: LMS_EXT,
    },
    Dependent {
        name: "lms-ext without TLS",
        dependencies: r#"lms-ext = { path = "ROOT/lms-ext", default-features = false }"#,
        program: LMS_EXT,
    },
];

/// Those that are built in every round.
const COMPARED: [usize; 3] = [0, 1, 3];
const WITHOUT_TLS: usize = 6;

/// A package with a program, and its builds.
struct Package {
    folder: PathBuf,
    crates: usize,
    clean: Vec<Built>,
}

/// The seconds of a clean build, and the size of the program in bytes.
struct Built {
    processor: f64,
    wall: f64,
    size: f64,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<String>> {
    // Resolves all of them before the first build, so that a mistake is found early.
    let written = DEPENDENTS.iter().enumerate();
    let written = written.map(|(number, dependent)| {
        Package::write(dependent, &bench.root, number).with_context(|| dependent.name)
    });
    let mut packages: Vec<_> = written.collect::<anyhow::Result<_>>()?;
    for round in 0..bench.either(4, 1) {
        for (number, package) in packages.iter_mut().enumerate() {
            // Building TLS takes minutes, which a smoke run saves.
            let is_built = if bench.smoke {
                number == WITHOUT_TLS
            } else {
                round == 0 || COMPARED.contains(&number)
            };
            if is_built {
                package.build_clean()?;
            }
        }
    }
    let rows = DEPENDENTS.iter().zip(&packages);
    let rows: Vec<_> = rows
        .map(|(dependent, package)| row(dependent, package, &packages[0].clean))
        .collect();
    Ok(vec![
        "Each program has a few lines, is a package of its own, and is built with cargo's release profile. Three were built from \
         an empty target folder several times in turn: lms-ext with its default features, reqwest with its default features, \
         and reqwest with the features for hand-written calls. The others were built once, so their times are rough. Ratios \
         compare each build with one of reqwest with its default features, which include the same TLS backend as those of lms-ext.\n"
            .to_owned(),
        table(COLUMNS, &rows),
    ])
}

fn row(dependent: &Dependent, package: &Package, base: &[Built]) -> Vec<String> {
    let clean = |of: fn(&Built) -> f64| (each(&package.clean, of), each(base, of));
    let (processor, base_processor) = clean(|built| built.processor);
    let (bytes, base_bytes) = clean(|built| built.size);
    vec![
        dependent.name.to_owned(),
        package.crates.to_string(),
        cell(&processor, Unit::Seconds),
        ratio(&processor, &base_processor),
        cell(&clean(|built| built.wall).0, Unit::Seconds),
        cell(&bytes, Unit::Bytes),
        ratio(&bytes, &base_bytes),
    ]
}

impl Package {
    fn write(dependent: &Dependent, root: &Path, number: usize) -> anyhow::Result<Self> {
        let folder = root.join(format!("target/bench/dependents/{number}"));
        let dependencies = dependent
            .dependencies
            .replace("ROOT", &root.to_string_lossy());
        fs::create_dir_all(folder.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"{PROGRAM}\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             tokio = {{ version = \"1\", features = [\"macros\", \"rt\"] }}\n{dependencies}\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        let main = format!(
            "#[tokio::main(flavor = \"current_thread\")]\nasync fn main() -> Result<(), Box<dyn std::error::Error>> {{{}\
             Ok(())\n}}\n",
            dependent.program
        );
        fs::write(folder.join("src/main.rs"), main)?;
        // The versions of the workspace; cargo removes those that this package does not need.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let mut package = Self {
            folder,
            crates: 0,
            clean: Vec::new(),
        };
        let tree = "tree --edges normal,build --prefix none --format {p}";
        let tree: Vec<_> = tree.split(' ').collect();
        let tree = output(&mut package.cargo(&tree))?;
        let crates = tree.lines().map(|line| line.trim_end_matches(" (*)"));
        let crates: BTreeSet<_> = crates.filter(|line| !line.is_empty()).collect();
        package.crates = crates.len();
        Ok(package)
    }

    /// Builds it from an empty target folder.
    fn build_clean(&mut self) -> anyhow::Result<()> {
        // Downloads are not measured.
        output(&mut self.cargo(&["fetch"]))?;
        let target = self.folder.join("target");
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        let before = processor_of_children()?;
        let started = Instant::now();
        output(&mut self.cargo(&["build", "--release", "--quiet"]))?;
        let program = fs::metadata(target.join("release").join(PROGRAM))?;
        self.clean.push(Built {
            wall: started.elapsed().as_secs_f64(),
            processor: processor_of_children()? - before,
            size: u32::try_from(program.len())?.into(),
        });
        Ok(())
    }

    /// Returns a cargo without the settings of the cargo that runs this program.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = cargo();
        let settings =
            "CARGO_BUILD_JOBS CARGO_ENCODED_RUSTFLAGS CARGO_INCREMENTAL RUSTC_WRAPPER RUSTFLAGS";
        for variable in settings.split(' ') {
            cargo.env_remove(variable);
        }
        cargo
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"));
        cargo
    }
}

/// The CPU time of all ended child processes and their descendants, in seconds.
fn processor_of_children() -> anyhow::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("cannot read /proc/self/stat")?;
    // The program name in parentheses can contain anything; the state is the first field after it.
    let (_, fields) = stat
        .rsplit_once(") ")
        .context("cannot parse /proc/self/stat")?;
    let ticks = fields.split(' ').skip(13).take(2);
    let ticks: f64 = ticks.map(|text| text.parse().unwrap_or(0.0)).sum();
    Ok(ticks / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_time_of_a_grandchild_counts() {
        let before = processor_of_children().unwrap();
        let busy = "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'";
        output(Command::new("sh").args(["-c", busy])).unwrap();
        assert!(processor_of_children().unwrap() > before);
    }
}
