//! The plan that ends the enrolments of a person and deletes the account.
//!
//! An id such as `l2` is that of another person at another tenant. So the commands name the tenant of the mirror, and the files
//! have the email address of the person where one account alone has it: a tenant that does not know the address refuses the row.

use std::path::{Path, absolute};

use lms_sync::{
    ColumnKind, Value,
    mirror::{MirrorReader, Query},
};

use super::{
    definition::own,
    part::{Part, Table},
};
use crate::{
    context::Context,
    failure::Failure,
    profile::config::{Config, write_private},
    wording::quoted,
};

/// The path of the API below the base URL, which the records of a mirror have.
const API: &str = "/api/v1";

/// The commands, each with its file and the query for the rows of it.
const STEPS: [(&str, &str, &str); 2] = [
    (
        "enrolments remove",
        "erase-enrolments",
        include_str!("sql/erase-enrolments.sql"),
    ),
    (
        "learners delete",
        "erase-learner",
        include_str!("sql/erase-learner.sql"),
    ),
];

pub(super) struct Plan {
    /// The base URL of the tenant.
    tenant: String,
    /// The commands, each with its file and the rows of it.
    steps: Vec<(&'static str, String, Table)>,
}

impl Plan {
    /// The plan for the learner of a dossier.
    pub(super) fn read(
        mirror: &mut MirrorReader<'_>,
        learner: &[(String, ColumnKind, Value)],
        parts: &[Part],
    ) -> Result<Self, Failure> {
        let records = || parts.iter().filter_map(|part| part.record.as_ref());
        let mut steps = Vec::new();
        for (command, name, text) in STEPS {
            let report = own(name, text)?;
            let mut needed = report.needed().into_iter();
            if needed.all(|needed| records().any(|record| record.collection == needed)) {
                let query = Query {
                    sql: &report.sql,
                    parameters: learner,
                    columns: &report.columns,
                    order: &report.order,
                };
                steps.push((command, format!("{name}.csv"), Table::read(mirror, &query)?));
            }
        }
        let tenant = records().next().map(|record| record.tenant.clone());
        Ok(Self {
            tenant: tenant.unwrap_or_default(),
            steps,
        })
    }

    /// Writes the plan and its files.
    pub(super) fn write(&self, context: &Context, folder: &Path) -> Result<(), Failure> {
        let folder = absolute(folder).map_err(|error| Failure::destination(folder, &error))?;
        let connection = connection(context, &self.tenant)?;
        let mut commands = String::new();
        for (command, file, rows) in &self.steps {
            let path = folder.join(file);
            rows.write_csv(&path)?;
            let path = quoted(&path.to_string_lossy());
            commands += &format!("  lms {command} --from {path} {connection} --dry-run\n");
        }
        let tenant = &self.tenant;
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
