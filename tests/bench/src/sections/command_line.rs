//! How long do `lms` and a single read take, and what do its features cost?

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, bail, ensure};
use lms_sandbox::Sandbox;
use serde_json::Value;

use crate::{
    bench::{Bench, Effort},
    cost,
    findings::{Cell, Part, Row},
    package::{Built, Package},
    spread::Spread,
    subject,
    tenant::Tenant,
    tls::TlsProxy,
    units::{self, Unit},
};

/// The sets of features, each with its folder, its name in the report, and its options for cargo. The first is measured.
const FEATURES: [(&str, &str, &[&str]); 2] = [
    (
        "default",
        "the default: with Parquet, PostgreSQL and the sandbox",
        &["--locked", "--package", "lms-cli"],
    ),
    (
        "small",
        "`--no-default-features`",
        &["--locked", "--package", "lms-cli", "--no-default-features"],
    ),
];

const COURSE: &str = "/api/v1/courses/c1";

/// The root certificates of Debian and derived systems.
const ROOTS: &str = "/etc/ssl/certs/ca-certificates.crt";

/// The runs of a command, in seconds.
struct Runs {
    name: &'static str,
    wall: Vec<f64>,
    /// The CPU time of one run, on average.
    processor: f64,
}

/// The reads by `lms` and by curl.
struct Reads {
    curl: Runs,
    lms: Runs,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let place = bench.root.join("target/bench/command-line");
    let (builds, program) = build(bench, &place)?;
    let rounds = bench.either(60, 2);
    let starts = starts(&program, rounds)?;
    let reads = reads(bench, &program, &place, rounds)?;
    parts(&starts, &reads, &builds)
}

/// Builds the program with each set of features, and returns the one with the default features.
fn build(bench: &Bench, place: &Path) -> anyhow::Result<(Vec<(usize, Built)>, PathBuf)> {
    if bench.effort == Effort::Smoke {
        let programs = subject::build_package(&bench.root, "lms-cli")?;
        return Ok((Vec::new(), programs.join("lms")));
    }
    let packages = FEATURES.map(|(folder, _, options)| Package {
        folder: bench.root.clone(),
        target: place.join(folder),
        program: "lms",
        options,
    });
    let builds = packages
        .iter()
        .map(|package| Ok((package.crates()?, package.cold()?)));
    let builds = builds.collect::<anyhow::Result<_>>()?;
    Ok((builds, packages[0].program()))
}

/// Seconds of each command that does nothing but start, in turn.
fn starts(program: &Path, rounds: u32) -> anyhow::Result<Vec<Runs>> {
    let command = |program: &Path, argument: &str| {
        let mut command = Command::new(program);
        command.arg(argument);
        command
    };
    let mut commands = [
        ("`true`, which does nothing", command(Path::new("true"), "")),
        ("`curl --version`", command(Path::new("curl"), "--version")),
        ("`lms --version`", command(program, "--version")),
        ("`lms --help`", command(program, "--help")),
    ];
    in_turn(&mut commands, rounds, |_| Ok(()))
}

/// Runs commands in turn, so that varying load on the machine affects all of them, and each again for its CPU time, which
/// is measured in steps that are longer than a run.
fn in_turn(
    commands: &mut [(&'static str, Command)],
    rounds: u32,
    check: impl Fn(&[Vec<u8>]) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<Runs>> {
    let mut walls = vec![Vec::new(); commands.len()];
    for _ in 0..rounds {
        let mut outputs = Vec::new();
        for ((_, command), wall) in commands.iter_mut().zip(&mut walls) {
            let (seconds, output) = timed(command)?;
            wall.push(seconds);
            outputs.push(output);
        }
        check(&outputs)?;
    }
    let runs = commands
        .iter_mut()
        .zip(walls)
        .map(|((name, command), wall)| {
            let before = cost::children()?;
            for _ in 0..rounds {
                timed(command)?;
            }
            let processor = (cost::children()? - before) / f64::from(rounds);
            Ok(Runs {
                name,
                wall,
                processor,
            })
        });
    runs.collect()
}

/// Reads one course again and again, by plain HTTP and by HTTPS, with a token that was requested before.
fn reads(bench: &Bench, program: &Path, place: &Path, rounds: u32) -> anyhow::Result<Vec<Reads>> {
    let tenant = Tenant::start(Sandbox::builder().demo())?;
    let plain = tenant.sandbox().base_url();
    let certificates = bench.root.join("tests/suite/tls");
    let proxy = TlsProxy::start(plain.trim_start_matches("http://"), &certificates)?;
    let home = place.join("home");
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    fs::create_dir_all(&home)?;
    // The server's certificate besides those of the machine, which a program loads for any server.
    let roots = home.join("roots.pem");
    let mut text = fs::read_to_string(ROOTS).unwrap_or_default();
    text += &fs::read_to_string(certificates.join("certificate.pem"))?;
    fs::write(&roots, text)?;
    let mut reads = Vec::new();
    for (name, base_url) in [("HTTP", plain), ("HTTPS", proxy.base_url.as_str())] {
        let mut lms = Command::new(program);
        lms.args(["courses", "get", "c1"])
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", &home)
            .env("SSL_CERT_FILE", &roots)
            .env("LMS_BASE_URL", base_url)
            .env("LMS_CLIENT_ID", tenant.sandbox().client_id())
            .env("LMS_CLIENT_SECRET", tenant.sandbox().client_secret());
        // Requests the token, and stores it.
        timed(&mut lms)?;
        let requested = tokens(&tenant)?;
        let mut curl = curl(&roots);
        let token = token(&tenant, &roots)?;
        curl.arg("--header")
            .arg(format!("authorization: Bearer {token}"))
            .arg(format!("{base_url}{COURSE}"));
        let mut commands = [(name, curl), (name, lms)];
        let runs = in_turn(&mut commands, rounds, |outputs| {
            let courses = outputs.iter().map(|text| serde_json::from_slice(text));
            let courses = courses.collect::<Result<Vec<Value>, _>>()?;
            ensure!(
                courses
                    .iter()
                    .all(|course| course["id"] == "c1" && *course == courses[0]),
                "the courses differ"
            );
            Ok(())
        })?;
        ensure!(
            tokens(&tenant)? == requested + 1,
            "the token was not cached"
        );
        let [curl, lms] =
            <[Runs; 2]>::try_from(runs).map_err(|_| anyhow::anyhow!("two commands were run"))?;
        reads.push(Reads { curl, lms });
    }
    Ok(reads)
}

fn curl(roots: &Path) -> Command {
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--fail", "--cacert"])
        .arg(roots);
    curl
}

/// A token for curl.
fn token(tenant: &Tenant, roots: &Path) -> anyhow::Result<String> {
    let sandbox = tenant.sandbox();
    let body = serde_json::json!({
        "grant_type": "client_credentials",
        "client_id": sandbox.client_id(),
        "client_secret": sandbox.client_secret(),
    });
    let url = format!("{}/api/v1/oauth/token", sandbox.base_url());
    let json = ["--header", "content-type: application/json", "--data"];
    let (_, response) = timed(curl(roots).args(json).arg(body.to_string()).arg(url))?;
    let response: Value = serde_json::from_slice(&response)?;
    let token = response["access_token"].as_str();
    Ok(token.context("the response has no token")?.to_owned())
}

/// Number of tokens requested.
fn tokens(tenant: &Tenant) -> anyhow::Result<usize> {
    let requests = tenant
        .sandbox()
        .requests_to(lms_sandbox::Operation::GetToken);
    Ok(requests?.len())
}

/// Runs a command, and returns the seconds until it has ended and its output.
fn timed(command: &mut Command) -> anyhow::Result<(f64, Vec<u8>)> {
    let started = Instant::now();
    let output = command.stdin(Stdio::null()).output();
    let seconds = started.elapsed().as_secs_f64();
    let output = output.with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!(
            "{:?} failed with {}: {}",
            command.get_program(),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok((seconds, output.stdout))
}

fn parts(starts: &[Runs], reads: &[Reads], builds: &[(usize, Built)]) -> anyhow::Result<Vec<Part>> {
    let pair = |runs: &Runs| {
        let spread = Spread::of(&runs.wall).context("nothing was measured")?;
        let [least, processor] =
            [spread.least, runs.processor].map(|seconds| units::figure(seconds, Unit::Seconds));
        anyhow::Ok(format!("{least} at least and {processor} of CPU time"))
    };
    let https = reads.last().context("no reads")?;
    Ok(vec![
        Part::Text(format!(
            "A single read over HTTPS with a cached token takes {} with `lms`, and {} with curl. The medians differ more, by \
             what else runs on the machine.",
            pair(&https.lms)?,
            pair(&https.curl)?
        )),
        Part::text(
            "Whole processes, in turn. Other programs that run on the machine add to their time, but not to their CPU time, \
             which is the average of all runs.",
        ),
        Part::table(
            ["start", "time", "CPU"],
            starts
                .iter()
                .map(|runs| Row::new(runs.name, vec![runs.time(), runs.processor()]))
                .collect(),
        ),
        Part::text(
            "`lms courses get c1` and curl with the same URL and a token, from a sandbox on the same machine. `lms` reads the \
             token from its file, and loads the root certificates of the machine for any server, curl only for HTTPS.",
        ),
        Part::table(
            [
                "read of a course",
                "curl",
                "`lms`",
                "difference",
                "curl, CPU",
                "`lms`, CPU",
            ],
            reads.iter().map(Reads::row).collect(),
        ),
        Part::text(
            "Each set of features was built once from an empty target folder with cargo's release profile.",
        ),
        Part::table(
            [
                "features of lms-cli",
                "crates",
                "clean build, CPU",
                "clean build, time",
                "program",
                "program, stripped",
            ],
            FEATURES
                .iter()
                .enumerate()
                .map(|(index, (_, name, _))| Row::new(*name, built(builds.get(index))))
                .collect(),
        ),
    ])
}

impl Runs {
    fn time(&self) -> Cell {
        Cell::figure(&self.wall, Unit::Seconds)
    }

    fn processor(&self) -> Cell {
        Cell::Count(self.processor, Unit::Seconds)
    }
}

impl Reads {
    /// The additional time of `lms`, read by read.
    fn overhead(&self) -> Vec<f64> {
        let pairs = self.lms.wall.iter().zip(&self.curl.wall);
        pairs.map(|(lms, curl)| lms - curl).collect()
    }

    fn row(&self) -> Row {
        Row::new(
            self.lms.name,
            vec![
                self.curl.time(),
                self.lms.time(),
                Cell::figure(&self.overhead(), Unit::Seconds),
                self.curl.processor(),
                self.lms.processor(),
            ],
        )
    }
}

fn built(build: Option<&(usize, Built)>) -> Vec<Cell> {
    let Some((crates, built)) = build else {
        let mut cells = vec![Cell::Text("not measured".to_owned())];
        cells.resize_with(5, || Cell::None);
        return cells;
    };
    let crates = u32::try_from(*crates).map_or(Cell::None, |crates| {
        Cell::Count(f64::from(crates), Unit::Items)
    });
    vec![
        crates,
        Cell::Count(built.cost.processor, Unit::Seconds),
        Cell::Count(built.cost.wall, Unit::Seconds),
        Cell::Count(built.size, Unit::Bytes),
        Cell::Count(built.stripped, Unit::Bytes),
    ]
}
