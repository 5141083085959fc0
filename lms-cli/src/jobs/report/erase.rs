//! The plan that ends the enrolments of a person and deletes the account.
//!
//! An id such as `l2` is that of another person at another tenant. So the commands name the tenant of the mirror, and the person
//! by an email address that one account alone has: a tenant that does not know the address refuses the command.

use std::path::Path;

use lms_sync::collections;

use super::{dossier::DossierPart, row::NamedRow};
use crate::{
    context::Context,
    failure::Failure,
    profile::{
        config::{Config, write_private},
        without_path,
    },
    wording::quoted,
};

/// Writes a plan for the tenant of a dossier.
pub(super) fn write(
    context: &Context,
    folder: &Path,
    person: &str,
    parts: &[DossierPart],
) -> Result<(), Failure> {
    let tenant = parts.iter().find_map(|part| part.tenant.as_deref());
    let tenant = tenant.unwrap_or_default();
    let (connection, person) = (connection(context, tenant)?, quoted(person));
    let mut commands = String::new();
    let enrolments = parts
        .iter()
        .filter(|of| of.collection == collections::ENROLMENTS);
    for (part, row) in enrolments.flat_map(|part| part.found.iter().map(move |row| (part, row))) {
        let course = quoted(&NamedRow(&part.columns, row).text("course"));
        commands += &format!(
            "  lms enrolments rm --user {person} --course {course} {connection} --dry-run\n"
        );
    }
    commands += &format!("  lms learners rm {person} {connection} --dry-run\n");
    let plan = format!(
        "\
Nothing was deleted. These commands, in this order, end the enrolments of the person and delete the account at
{tenant}:

{commands}
They name the person by email address, which a tenant that does not know it refuses. If the address is not theirs alone, they have
the id, and the same id is another person at another tenant.

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
