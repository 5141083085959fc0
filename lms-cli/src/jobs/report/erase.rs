//! The plan that ends the enrolments of a person and deletes the account.
//!
//! An id such as `l2` is that of another person at another tenant. So the commands name the tenant of the mirror, and the files
//! have the email address of the person where one account alone has it: a tenant that does not know the address refuses the row.

use std::path::{Path, absolute};

use lms_sync::{
    ColumnKind, Error, Value, collections,
    mirror::{MirrorReader, Query},
};

use super::{part::Part, rows};
use crate::{
    context::Context,
    failure::Failure,
    profile::config::{Config, write_private},
    wording::quoted,
};

/// The path of the API below the base URL, which the records of a mirror have.
const API: &str = "/api/v1";

/// The person, as a row of a file names them.
pub(super) enum Person {
    Email(Value),
    /// Without an email address, or with one that several accounts have.
    Id(Value),
}

impl Person {
    /// The learner of a dossier.
    pub(super) fn of(mirror: &mut MirrorReader<'_>, parts: &[Part]) -> Result<Self, Error> {
        let learner = parts
            .iter()
            .find(|part| part.collection.name == collections::LEARNERS);
        let value = |name: &str| {
            let part = learner?;
            let column = part.columns.iter().position(|(known, _)| known == name)?;
            part.rows.first()?.get(column).cloned()
        };
        let id = value("id").unwrap_or(Value::Null);
        let Some(Value::Text(email)) = value("email") else {
            return Ok(Self::Id(id));
        };
        let email = Value::Text(email.trim().to_owned());
        let query = Query {
            sql: "SELECT id FROM learners \
                  WHERE _deleted_at IS NULL AND email LIKE '%@%' AND lower(trim(email)) = lower(:email)",
            parameters: &[("email".to_owned(), ColumnKind::Text, email.clone())],
            columns: &[("id".to_owned(), ColumnKind::Text)],
            order: &[],
        };
        let mut accounts = 0;
        mirror.query(&query, &mut |_| accounts += 1)?;
        Ok(match accounts {
            1 => Self::Email(email),
            _ => Self::Id(id),
        })
    }

    fn value(&self) -> &Value {
        let (Self::Email(value) | Self::Id(value)) = self;
        value
    }
}

/// Writes the plan and its files.
pub(super) fn write(
    context: &Context,
    folder: &Path,
    parts: &[Part],
    person: &Person,
) -> Result<(), Failure> {
    let folder = absolute(folder).map_err(|error| Failure::destination(folder, &error))?;
    let tenant = parts.iter().find_map(|part| part.record.as_ref());
    let tenant = tenant.map_or("", |record| &record.tenant);
    let connection = connection(context, tenant)?;
    let mut commands = String::new();
    for (command, file, collection, names) in [
        (
            "enrolments remove",
            "erase-enrolments.csv",
            collections::ENROLMENTS,
            &["user", "course"][..],
        ),
        (
            "learners delete",
            "erase-learner.csv",
            collections::LEARNERS,
            &["id"],
        ),
    ] {
        let mut parts = parts.iter().filter(|part| part.record.is_some());
        let Some(part) = parts.find(|part| part.collection.name == collection) else {
            continue;
        };
        let path = folder.join(file);
        let csv = rows::csv_of(names, (names[0], person.value()), part);
        write_private(
            &path,
            &csv.map_err(|error| Failure::destination(&path, &error))?,
        )?;
        let path = quoted(&path.to_string_lossy());
        commands.push_str(&format!(
            "  lms {command} --from {path} {connection} --dry-run\n"
        ));
    }
    let check = match person {
        Person::Email(_) => {
            "The files name the person by email address. A tenant without this address refuses them."
        }
        Person::Id(_) => {
            "The files name the person by id, because no email address is theirs alone. The same id is another person at another tenant."
        }
    };
    let plan = format!(
        "\
Nothing was deleted. These commands, in this order, end the enrolments of the person and delete the account at
{tenant}:

{commands}
{check}

Without --dry-run, they ask and then delete. The service does not document what happens to progress, completions and records of a
learner who is deleted. Copies are not part of the plan: mirrors, their `lms changes`, exports, and this folder.
"
    );
    write_private(&folder.join("erase.txt"), &plan)
}

/// The option that connects to a tenant, whatever the default profile is then: a profile for it, or its base URL.
fn connection(context: &Context, tenant: &str) -> Result<String, Failure> {
    let of_base_url = |url: &str| url.trim_end_matches('/').trim_end_matches(API).to_owned();
    let base_url = of_base_url(tenant);
    let config = Config::load()?;
    let is_it = |name: &&String| {
        let profile = config.profile(name);
        profile.is_ok_and(|profile| of_base_url(&profile.base_url) == base_url)
    };
    let names = config.names();
    let chosen = context.profile.iter().chain(&names).find(is_it);
    Ok(match chosen {
        Some(name) => format!("--profile {}", quoted(name)),
        None => format!("--base-url {}", quoted(&base_url)),
    })
}
