//! The plan that ends the enrolments of a person and deletes the account.
//!
//! An id such as `l2` is that of another person at another tenant. So the commands name the tenant of the mirror, and the files
//! have the email address of the person where one account alone has it: a tenant that does not know the address refuses the row.

use std::path::{Path, absolute};

use lms_sync::{
    ColumnKind, Value, collections,
    mirror::{MirrorReader, Query},
};

use super::part::{Part, Table};
use crate::{
    context::Context,
    failure::Failure,
    profile::{
        config::{Config, write_private},
        without_path,
    },
    wording::quoted,
};

/// The commands, each with the collection and the columns of its file, and the query for the rows.
const STEPS: [(&str, &str, &[&str], &str); 2] = [
    (
        "enrolments rm",
        collections::ENROLMENTS,
        &["user", "course"],
        "SELECT p.name AS \"user\", e.course FROM person p JOIN enrolments e ON e.\"user\" = p.id AND e._deleted_at IS NULL",
    ),
    (
        "learners rm",
        collections::LEARNERS,
        &["id"],
        "SELECT p.name AS id FROM person p",
    ),
];

/// The learner: by email address, or by id if the address is not theirs alone.
const PERSON: &str = "WITH person AS (SELECT l.id, CASE WHEN l.email LIKE '%@%' AND (SELECT count(*) FROM learners o \
    WHERE o._deleted_at IS NULL AND lower(trim(o.email)) = lower(trim(l.email))) = 1 THEN trim(l.email) ELSE l.id END AS name \
    FROM learners l WHERE l.id = :learner AND l._deleted_at IS NULL) ";

/// A command with the rows of its file.
type Step = (&'static str, String, Table);

/// The plan for the learner of a dossier.
pub(super) fn plan(
    mirror: &mut MirrorReader<'_>,
    learner: &[(String, ColumnKind, Value)],
    parts: &[Part],
) -> Result<Vec<Step>, Failure> {
    let is_read = |name: &str| {
        let mut read = parts.iter().filter(|part| part.record.is_some());
        read.any(|part| part.collection.name == name)
    };
    let mut steps = Vec::new();
    for (command, collection, columns, sql) in STEPS {
        if is_read(collection) {
            let columns = columns
                .iter()
                .map(|name| ((*name).to_owned(), ColumnKind::Text));
            let query = Query {
                sql: &format!("{PERSON}{sql}"),
                parameters: learner,
                columns: &columns.collect::<Vec<_>>(),
                order: &[],
            };
            let file = format!("erase-{collection}.csv");
            steps.push((command, file, Table::read(mirror, &query)?));
        }
    }
    Ok(steps)
}

/// Writes a plan for a tenant, and its files.
pub(super) fn write(
    context: &Context,
    folder: &Path,
    tenant: &str,
    steps: &[Step],
) -> Result<(), Failure> {
    let folder = absolute(folder).map_err(|error| Failure::destination(folder, &error))?;
    let connection = connection(context, tenant)?;
    let mut commands = String::new();
    for (command, file, rows) in steps {
        let path = folder.join(file);
        rows.write_csv(&path)?;
        let path = quoted(&path.to_string_lossy());
        commands += &format!("  lms {command} --from {path} {connection} --dry-run\n");
    }
    let plan = format!(
        "\
Nothing was deleted. These commands, in this order, end the enrolments of the person and delete the account at
{tenant}:

{commands}
The files name the person by email address, which a tenant that does not know it refuses. If the address is not theirs alone,
they have the id, and the same id is another person at another tenant.

Without --dry-run, the commands ask and then delete. The service does not document what happens to progress, completions and
records of a learner who is deleted. Copies are not part of the plan: mirrors, their `lms changes`, exports, and this folder.
"
    );
    write_private(&folder.join("erase.txt"), &plan)
}

/// The option that connects to a tenant, whatever the default profile is then: a profile for it, or its base URL.
fn connection(context: &Context, tenant: &str) -> Result<String, Failure> {
    let base_url = without_path(tenant);
    let config = Config::load()?;
    let is_it = |name: &&String| {
        let profile = config.profile(name);
        profile.is_ok_and(|profile| without_path(&profile.base_url) == base_url)
    };
    let names = config.names();
    let chosen = context.profile.iter().chain(&names).find(is_it);
    Ok(match chosen {
        Some(name) => format!("--profile {}", quoted(name)),
        None => format!("--base-url {}", quoted(base_url)),
    })
}
