//! How many requests does the sandbox process, and does that depend on the size of the tenant?

use anyhow::ensure;
use serde::Deserialize;

use crate::{
    bench::Bench,
    findings::{Cell, Part, Row},
    server::{Program, Server},
    spread::each,
    subject::{self, Subject},
    units::{self, Unit},
};

/// The requests, with their names in the table.
const JOBS: &[(&str, &str)] = &[
    ("test", "`GET /test`, which reads no data"),
    ("read", "`GET /learners/{id}`"),
    ("email", "`GET /learners/email/{email}`"),
    ("page", "`GET /learners`, a page of 200"),
    ("edit", "`PUT /learners/{id}`"),
    ("add", "`POST /learners`"),
];

/// The lists whose first and last pages are compared.
const LISTS: &[&str] = &[
    "learners",
    "learners?order_by=surname",
    "learners?tags=emea",
    "enrolments",
    "topic_progress",
    "topic_progress?completed=true",
    "course_completions",
];

/// Concurrent requests, each on its own connection.
const CONNECTIONS: u32 = 8;

#[derive(Deserialize)]
struct Load {
    requests: f64,
    wall: f64,
    processor: f64,
}

#[derive(Deserialize)]
struct Depth {
    pages: f64,
    first: Vec<f64>,
    last: Vec<f64>,
}

/// A tenant, with its results by job and round.
struct Tenant {
    learners: u32,
    name: String,
    server: Server,
    loads: Vec<Vec<Load>>,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let programs = subject::build(&bench.root)?;
    let sandbox = Program::build(bench)?;
    let (few, many) = bench.either((1_000, 1_000_000), (500, 2_000));
    let tenant = |learners: u32, place: &str, server: Server| Tenant {
        learners,
        name: format!("{}, {place}", units::number(f64::from(learners))),
        server,
        loads: JOBS.iter().map(|_| Vec::new()).collect(),
    };
    let mut tenants = [
        tenant(few, "in memory", sandbox.in_memory(few)?),
        tenant(few, "in a file", sandbox.in_file(few)?),
        tenant(many, "in a file", sandbox.in_file(many)?),
    ];
    for _ in 0..bench.either(5, 1) {
        for (index, (job, _)) in JOBS.iter().enumerate() {
            for tenant in &mut tenants {
                let subject = Subject::new(programs.join("bench-load"))
                    .arg(*job)
                    .arg(tenant.learners.to_string())
                    .arg(CONNECTIONS.to_string())
                    .arg(bench.either("1", "0.2"))
                    .arg(tenant.server.pid().to_string());
                let load: Load = tenant.server.tell(subject).run()?;
                ensure!(load.requests > 0.0, "no request of {job} got a response");
                tenant.loads[index].push(load);
            }
        }
    }
    let (end, most) = bench.either((50, 5_000), (5, 20));
    let mut depths = Vec::new();
    let [.., large] = &tenants;
    for list in LISTS {
        let subject = Subject::new(programs.join("bench-depth"))
            .arg(*list)
            .arg(most.to_string())
            .arg(end.to_string())
            .arg(bench.either("5", "2"));
        let depth: Depth = large.server.tell(subject).run()?;
        depths.push((*list, depth));
    }
    let mut columns = vec!["requests per second of CPU time".to_owned()];
    columns.extend(tenants.iter().map(|tenant| tenant.name.clone()));
    let wall_columns = ["requests per second".to_owned()]
        .into_iter()
        .chain(columns[1..].to_vec());
    let [_, few, many] = &tenants;
    let [small, large] = [few, many].map(|tenant| units::number(f64::from(tenant.learners)));
    let ratio = format!("{large} : {small}");
    Ok(vec![
        Part::text(format!(
            "The sandbox runs as its own process, with as many learners as the column says and two enrolments for \
             each. {CONNECTIONS} requests run concurrently, for learners from the whole tenant. CPU time is that of \
             all threads of the sandbox, so each row shows how many requests one core can process."
        )),
        Part::table(
            columns.iter().cloned().chain([ratio]),
            rows(&tenants, |load| load.requests / load.processor, true),
        ),
        Part::text("The same in elapsed time, with the client on the same machine."),
        Part::table(
            wall_columns,
            rows(&tenants, |load| load.requests / load.wall, false),
        ),
        Part::text(format!(
            "Does a page deep in a list take longer than the first one? The first {end} pages of each list of {large} \
             learners, and the last {end} pages within {} pages, in turn; the time is the median of sequential \
             requests.",
            units::number(f64::from(most))
        )),
        Part::table(
            [
                "list",
                "pages read",
                "first pages",
                "last pages",
                "last : first",
            ],
            depths
                .iter()
                .map(|(list, depth)| {
                    let cells = vec![
                        Cell::Count(depth.pages, Unit::Items),
                        Cell::figure(&depth.first, Unit::Seconds),
                        Cell::figure(&depth.last, Unit::Seconds),
                        Cell::ratio(&depth.last, &depth.first),
                    ];
                    Row::new(format!("`{list}`"), cells)
                })
                .collect(),
        ),
    ])
}

/// A row for each job, `with_ratio` of the large tenant to the small one.
fn rows(tenants: &[Tenant; 3], rate: fn(&Load) -> f64, with_ratio: bool) -> Vec<Row> {
    let row = |(index, (_, name)): (usize, &(&str, &str))| {
        let rates = tenants
            .each_ref()
            .map(|tenant| each(&tenant.loads[index], rate));
        let mut cells: Vec<_> = rates
            .iter()
            .map(|rates| Cell::figure(rates, Unit::PerSecond))
            .collect();
        let [_, few, many] = &rates;
        cells.extend(with_ratio.then(|| Cell::ratio(many, few)));
        Row::new(*name, cells)
    };
    JOBS.iter().enumerate().map(row).collect()
}
