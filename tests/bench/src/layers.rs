//! Cost that each layer adds to a call: time, CPU time, and instructions, which callgrind counts.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use lms_sandbox::{Population, Sandbox};
use serde::Deserialize;

use crate::{
    Bench,
    figures::{Spread, Unit, cell, compared, figure, ratio, table},
    latency,
    programs::{self, Tenant},
};

/// More than any program frees at once, in bytes.
const KEEP_FREED_MEMORY: &str = "33554432";

const COLUMNS: &str = "client | time | CPU | CPU per call | instructions per call | instructions";

#[derive(Deserialize)]
struct Took {
    calls: f64,
    wall: f64,
    processor: f64,
    rows: f64,
    bytes: f64,
}

/// One job, and the clients that do it; the others are compared with the first.
struct Contest {
    title: &'static str,
    clients: Vec<Client>,
    warm_up: u32,
    calls: u32,
    /// The numbers of calls in the shorter and in the longer run under callgrind.
    counted: [u32; 2],
}

struct Client {
    name: &'static str,
    arguments: [&'static str; 2],
    wall: Vec<f64>,
    processor: Vec<f64>,
}

/// The instructions and the time of lms-ext in relation to the first client.
struct Ratios {
    instructions: f64,
    time: Spread,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<String>> {
    let mut parts = calls(bench)?;
    parts.extend(latency::measure(bench)?);
    Ok(parts)
}

fn calls(bench: &Bench) -> anyhow::Result<Vec<String>> {
    let runner = Runner {
        program: programs::build(&bench.root, "lms-bench-subjects")?.join("bench-layers"),
        tenant: Tenant::start(Sandbox::builder().population(Population::default()))?,
    };
    let mut contests = contests(bench);
    for _ in 0..bench.either(11, 2) {
        for contest in &mut contests {
            runner.round(contest)?;
        }
    }
    let mut parts = vec![
        "All clients call one sandbox over loopback, one call after the other on one connection and one thread, without TLS \
         and compression. lms-ext has its defaults. *Time* includes the sandbox; *CPU* and *instructions*, which callgrind \
         counts, are those of the client alone. Ratios are to the first row, run by run. glibc is configured to keep freed \
         memory. By default, it returns some memory to the system after a page and requests it again, depending on sizes, \
         which would take more time than the clients differ by.\n"
            .to_owned(),
    ];
    let mut ratios = Vec::new();
    for contest in &contests {
        let (table, found) = runner.table(contest)?;
        parts.extend([format!("### {}\n", contest.title), table]);
        ratios.push(found);
    }
    let [learner, page, _] = &ratios[..] else {
        anyhow::bail!("a contest was not measured");
    };
    let time = if (page.time.least..page.time.most).contains(&1.0) {
        "the same time, within the noise".to_owned()
    } else {
        format!("{} time", compared(page.time.median, ["less", "more"]))
    };
    parts.push(format!(
        "**Reading a page of 200 learners through lms-ext executes {} instructions than hand-written reqwest and serde code, \
         in {time}; a single learner {}.**\n",
        compared(page.instructions, ["fewer", "more"]),
        compared(learner.instructions, ["fewer", "more"]),
    ));
    Ok(parts)
}

fn contests(bench: &Bench) -> [Contest; 3] {
    let hand = "hand-written: reqwest, serde";
    let clients = |job| {
        vec![
            Client::new(hand, ["hand", job]),
            Client::new("lms-client", ["raw", job]),
            Client::new("lms-ext, `.call()`", ["ext", job]),
        ]
    };
    let page = |title, clients| Contest {
        title,
        clients,
        warm_up: bench.either(20, 1),
        calls: bench.either(600, 2),
        counted: bench.either([10, 60], [1, 3]),
    };
    let contacts = vec![
        Client::new(hand, ["hand", "contacts"]),
        Client::new("lms-ext, `.call_as()`", ["ext", "contacts"]),
        Client::new("lms-ext, `.items_as()`", ["listing", "contacts"]),
    ];
    [
        Contest {
            title: "One learner, all fields",
            clients: clients("learner"),
            warm_up: bench.either(200, 5),
            calls: bench.either(5000, 10),
            counted: bench.either([50, 450], [5, 15]),
        },
        page("A page of 200 learners, all fields", clients("page")),
        page("A page of 200 learners, two fields", contacts),
    ]
}

impl Client {
    const fn new(name: &'static str, arguments: [&'static str; 2]) -> Self {
        Self {
            name,
            arguments,
            wall: Vec::new(),
            processor: Vec::new(),
        }
    }
}

struct Runner {
    program: PathBuf,
    tenant: Tenant,
}

impl Runner {
    /// Runs every client once, and checks that all read the same.
    fn round(&self, contest: &mut Contest) -> anyhow::Result<()> {
        let mut read = None;
        let calls = [contest.warm_up, contest.calls].map(|number| number.to_string());
        for client in &mut contest.clients {
            let mut command = self.tenant.command(&self.program);
            let took: Took = programs::json(
                // Both, since glibc stops adjusting one of them when the other is set.
                command
                    .env("MALLOC_TRIM_THRESHOLD_", KEEP_FREED_MEMORY)
                    .env("MALLOC_MMAP_THRESHOLD_", KEEP_FREED_MEMORY)
                    .args(client.arguments)
                    .args(&calls),
            )?;
            client.wall.push(took.wall / took.calls);
            client.processor.push(took.processor / took.calls);
            let found = (took.rows / took.calls, took.bytes / took.calls);
            let expected = read.get_or_insert(found);
            ensure!(
                found == *expected,
                "{}, {}: items and bytes of a call are {found:?}, not {expected:?}",
                client.name,
                contest.title
            );
        }
        Ok(())
    }

    fn table(&self, contest: &Contest) -> anyhow::Result<(String, Ratios)> {
        let first = contest.clients.first().context("no clients")?;
        let mut by_hand = None;
        let mut found = None;
        let mut rows = Vec::new();
        for client in &contest.clients {
            let instructions = self.instructions(client, contest)?;
            let times = instructions / *by_hand.get_or_insert(instructions);
            let time = Spread::of_ratios(&client.wall, &first.wall).context("no runs")?;
            if client.name.starts_with("lms-ext") {
                found = Some(Ratios {
                    instructions: times,
                    time,
                });
            }
            rows.push(vec![
                client.name.to_owned(),
                ratio(&client.wall, &first.wall),
                ratio(&client.processor, &first.processor),
                cell(&client.processor, Unit::Seconds),
                figure(instructions, Unit::Instructions),
                figure(times, Unit::Times),
            ]);
        }
        Ok((table(COLUMNS, &rows), found.context("no lms-ext")?))
    }

    /// The instructions of one call. The difference between a long and a short run leaves out start and end. Two runs are
    /// enough, since instructions do not depend on the load of the machine.
    fn instructions(&self, client: &Client, contest: &Contest) -> anyhow::Result<f64> {
        let count = |calls: u32| {
            let mut command = self.tenant.command("valgrind");
            let output = command
                .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
                .arg(&self.program)
                .args(client.arguments)
                .args([contest.warm_up.min(20), calls].map(|number| number.to_string()))
                .output()
                .context("cannot run valgrind; install it (Debian: apt-get install valgrind)")?;
            let messages = String::from_utf8_lossy(&output.stderr);
            messages
                .lines()
                .find_map(|line| line.split_once("Collected :")?.1.trim().parse::<f64>().ok())
                .with_context(|| format!("callgrind counted nothing: {}", messages.trim()))
        };
        let [few, many] = contest.counted;
        Ok((count(many)? - count(few)?) / f64::from(many - few))
    }
}
