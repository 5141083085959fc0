//! What does the sandbox stand?

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::{
    Bench,
    findings::{Cell, Part, Row, Table, Unit},
    page,
    server::{Program, Server},
    spread::Spread,
    subject::{self, Subject},
};

/// What is asked of it.
const JOBS: &[(&str, &str)] = &[
    ("test", "`GET /test`, for which nothing is looked up"),
    ("read", "`GET /learners/{id}`"),
    ("email", "`GET /learners/email/{email}`"),
    ("page", "`GET /learners`, a page of 200"),
    ("edit", "`PUT /learners/{id}`"),
    ("add", "`POST /learners`"),
];

/// The lists whose first pages are compared with pages far behind them.
const LISTS: &[&str] = &[
    "learners",
    "learners?order_by=surname",
    "learners?tags=emea",
    "enrolments",
    "topic_progress",
    "topic_progress?completed=true",
    "course_completions",
];

/// How many requests are on their way at a time, each on a connection of its own.
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

/// A tenant, and what was found about it, job by job and round by round.
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
        name: format!("{}, {place}", page::number(f64::from(learners))),
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
                ensure!(load.requests > 0.0, "{job} was never answered");
                tenant.loads[index].push(load);
            }
        }
    }
    let (end, most) = bench.either((50, 5_000), (5, 20));
    let mut depths = Vec::new();
    let large = tenants.last().context("no tenants")?;
    for list in LISTS {
        let subject = Subject::new(programs.join("bench-depth"))
            .arg(*list)
            .arg(most.to_string())
            .arg(end.to_string())
            .arg(bench.either("5", "2"));
        let depth: Depth = large.server.tell(subject).run()?;
        depths.push((*list, depth));
    }
    Ok(vec![
        Part::Text(format!(
            "The sandbox as a process of its own, with as many learners as the column says and two enrolments for each \
             of them; {CONNECTIONS} requests are on their way at any time, for learners from all over the tenant. \
             *A second of the processor* is one of the sandbox's alone, all its threads together, so a row says how \
             many requests one core can answer that does nothing else."
        )),
        Part::Table(per_core(&tenants)?),
        Part::Text(
            "The same by the clock on the wall, with the client that asks on the same machine."
                .to_owned(),
        ),
        Part::Table(by_the_clock(&tenants)?),
        Part::Text(format!(
            "Does a page deep in a list cost what the first one does? The first {end} pages of each list of {} learners, \
             and the last {end} of those that a walk of at most {} pages sees, in turn; the time is that of a request \
             in the middle of them, one after the other.",
            page::number(f64::from(large.learners)),
            page::number(f64::from(most))
        )),
        Part::Table(depth(&depths)?),
    ])
}

fn per_core(tenants: &[Tenant; 3]) -> anyhow::Result<Table> {
    let mut columns = vec!["requests in a second of the processor".to_owned()];
    columns.extend(tenants.iter().map(|tenant| tenant.name.clone()));
    let [_, few, many] = tenants;
    columns.push(format!(
        "{} : {}",
        page::number(f64::from(many.learners)),
        page::number(f64::from(few.learners))
    ));
    let mut rows = Vec::new();
    for (index, (_, name)) in JOBS.iter().enumerate() {
        let rates = |tenant: &Tenant| -> Vec<f64> {
            let loads = tenant.loads[index].iter();
            loads.map(|load| load.requests / load.processor).collect()
        };
        let mut cells = Vec::new();
        for tenant in tenants {
            let rate = Spread::of(&rates(tenant)).context("no rounds")?;
            cells.push(Cell::Figure(rate, Unit::PerSecond));
        }
        let ratio = Spread::of_ratios(&rates(many), &rates(few)).context("no rounds")?;
        cells.push(Cell::Figure(ratio, Unit::Times));
        rows.push(Row {
            name: (*name).to_owned(),
            cells,
        });
    }
    Ok(Table { columns, rows })
}

fn by_the_clock(tenants: &[Tenant; 3]) -> anyhow::Result<Table> {
    let mut columns = vec!["requests in a second".to_owned()];
    columns.extend(tenants.iter().map(|tenant| tenant.name.clone()));
    let mut rows = Vec::new();
    for (index, (_, name)) in JOBS.iter().enumerate() {
        let mut cells = Vec::new();
        for tenant in tenants {
            let loads = tenant.loads[index].iter();
            let rates: Vec<_> = loads.map(|load| load.requests / load.wall).collect();
            let rate = Spread::of(&rates).context("no rounds")?;
            cells.push(Cell::Figure(rate, Unit::PerSecond));
        }
        rows.push(Row {
            name: (*name).to_owned(),
            cells,
        });
    }
    Ok(Table { columns, rows })
}

fn depth(depths: &[(&str, Depth)]) -> anyhow::Result<Table> {
    let mut rows = Vec::new();
    for (list, Depth { pages, first, last }) in depths {
        let of = |times: &[f64]| Spread::of(times).context("no rounds");
        let ratio = Spread::of_ratios(last, first).context("no rounds")?;
        rows.push(Row {
            name: format!("`{list}`"),
            cells: vec![
                Cell::Count(*pages, Unit::Items),
                Cell::Figure(of(first)?, Unit::Seconds),
                Cell::Figure(of(last)?, Unit::Seconds),
                Cell::Figure(ratio, Unit::Times),
            ],
        });
    }
    let columns = [
        "list",
        "pages seen",
        "first pages",
        "last pages",
        "last : first",
    ];
    Ok(Table {
        columns: columns.map(str::to_owned).to_vec(),
        rows,
    })
}
