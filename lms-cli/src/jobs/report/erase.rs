//! The plan that ends the enrolments of a person and deletes the account.
//!
//! An id such as `l2` is that of another person at another tenant. So the commands name the tenant of the mirror, and the files
//! have the email address of the person where one account alone has it: a tenant that does not know the address refuses the row.

use std::path::{Path, absolute};

use lms_sync::{ColumnKind, Value, collections, mirror::MirrorReader};

use super::{
    part::{Part, write_csv},
    row::{NamedRow, Row, each_row},
};
use crate::{
    context::Context,
    failure::Failure,
    profile::{
        config::{Config, write_private},
        without_path,
    },
    wording::quoted,
};

/// The commands, each with the collection and the columns of its file.
const STEPS: [(&str, &str, &[&str]); 2] = [
    (
        "enrolments rm",
        collections::ENROLMENTS,
        &["user", "course"],
    ),
    ("learners rm", collections::LEARNERS, &["id"]),
];

/// The text that names the learner: the email address, or the id if the address is not theirs alone.
pub(super) fn person(
    mirror: &mut MirrorReader<'_>,
    learner: &[(String, ColumnKind, Value)],
) -> Result<Value, Failure> {
    let sql = "SELECT CASE WHEN l.email LIKE '%@%' AND (SELECT count(*) FROM learners o \
               WHERE o._deleted_at IS NULL AND lower(trim(o.email)) = lower(trim(l.email))) = 1 THEN trim(l.email) ELSE l.id END AS name \
               FROM learners l WHERE l.id = :learner AND l._deleted_at IS NULL";
    let mut name = Value::Null;
    let columns = [("name".to_owned(), ColumnKind::Text)];
    each_row(mirror, sql, learner, &columns, &mut |row| {
        name = row.into_iter().next().unwrap_or(Value::Null);
    })?;
    Ok(name)
}

/// Writes a plan for the tenant of a dossier, and its files.
pub(super) fn write(
    context: &Context,
    folder: &Path,
    person: &Value,
    parts: &[Part],
) -> Result<(), Failure> {
    let folder = absolute(folder).map_err(|error| Failure::destination(folder, &error))?;
    let tenant = parts.iter().find_map(|part| part.record.as_ref());
    let tenant = tenant.map_or("", |record| &*record.tenant);
    let connection = connection(context, tenant)?;
    let mut commands = String::new();
    for (command, collection, names) in STEPS {
        let mut read = parts.iter().filter(|part| part.record.is_some());
        let Some(part) = read.find(|part| part.collection == collection) else {
            continue;
        };
        let value = |name: &str, row: &Row| match name {
            "course" => NamedRow(&part.columns, row).value(name).clone(),
            _ => person.clone(),
        };
        let row = |row: &Row| names.iter().map(|name| value(name, row)).collect();
        let rows: Vec<Row> = part.rows.iter().map(row).collect();
        let columns = names
            .iter()
            .map(|name| ((*name).to_owned(), ColumnKind::Text));
        let path = folder.join(format!("erase-{collection}.csv"));
        write_csv(&path, &columns.collect::<Vec<_>>(), &rows)?;
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
