//! `profile add`, `list`, `remove`, `use` and `check`.

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    args::{given, switch, text, yes},
    context::Context,
    doctor,
    failure::Failure,
    output::Printer,
    profile::{
        config::{Config, Profile, SecretSource, is_plain, write_private},
        keyring,
    },
    terminal::{confirm, read_secret},
};

/// A profile, without its secret.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct Listed {
    name: String,
    /// `true` if this profile is used if none is named.
    default: bool,
    /// Null, like the next two, if the profile cannot be read.
    base_url: Option<String>,
    client_id: Option<String>,
    /// The place of the secret: `credential_command`, `keyring`, or the path of a file.
    secret: Option<String>,
    /// Words to choose several profiles by.
    tags: Vec<String>,
    /// The mistake that makes the profile unreadable.
    problem: Option<String>,
}

pub(crate) fn command() -> Command {
    let name = || {
        let name = Arg::new("name").value_name("NAME").required(true);
        name.help("Name of the profile")
    };
    let verb = |verb: &'static str, about: &'static str| Command::new(verb).about(about);
    Command::new("profile")
        .about("Tenants with their credentials: add, list, use, check, remove")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            verb(
                "add",
                "Add or replace a profile; asks for the secret, or reads it from stdin",
            )
            .override_usage("lms profile add <NAME> --base-url <URL> --client-id <ID> [OPTIONS]")
            .args(of_add())
            .arg(name()),
        )
        .subcommand(verb("list", "List the profiles"))
        .subcommand(verb("use", "Make a profile the default").arg(name()))
        .subcommand(verb(
            "check",
            "Check the connection and the credentials; `lms doctor` checks more",
        ))
        .subcommand(
            verb("rm", "Remove a profile and its stored secret")
                .aliases(["remove", "delete"])
                .arg(name())
                .arg(yes("Do not ask for confirmation")),
        )
}

fn of_add() -> [Arg; 6] {
    [
        text(
            "credential-command",
            "COMMAND",
            "A shell command that prints the secret",
        ),
        text(
            "secret-file",
            "FILE",
            "A file with the secret, with mode 0600",
        )
        .value_hint(ValueHint::FilePath)
        .conflicts_with("credential-command"),
        text(
            "time-zone",
            "NAME",
            "Time zone of the tenant's times that have none: Europe/Berlin or +02:00",
        ),
        text(
            "tag",
            "TAG",
            "Tag by which --tag-profiles selects several profiles; can be repeated",
        )
        .action(ArgAction::Append),
        switch("keyring", "Store the secret in the keyring of the system")
            .conflicts_with_all(["credential-command", "secret-file"]),
        yes("Replace a profile of this name without a question"),
    ]
}

/// Runs a command about profiles.
pub(crate) async fn run(
    context: &Context,
    verb: &str,
    matches: &ArgMatches,
) -> Result<(), Failure> {
    let name = given::<String>(matches, "name").unwrap_or_default();
    match verb {
        "add" => add(context, &name, matches),
        "list" => list(context),
        "use" => {
            Config::change(|config| {
                config.profile(&name)?;
                config.set_default(&name);
                Ok(())
            })?;
            context.note(&format!("{name} is the default"));
            Ok(())
        }
        "check" => doctor::brief(context).await,
        _ => remove(context, &name),
    }
}

fn add(context: &Context, name: &str, matches: &ArgMatches) -> Result<(), Failure> {
    if !is_plain(name) {
        return Err(Failure::usage(format!(
            "{name} is not a name for a profile; use letters, digits, - and _"
        )));
    }
    let (Some(base_url), Some(client_id)) = (context.base_url.clone(), context.client_id.clone())
    else {
        return Err(Failure::usage(
            "profile add needs --base-url and --client-id",
        ));
    };
    // Fails for a URL that no command could use.
    let lms = lms_ext::Lms::builder(&base_url).token("unused").build()?;
    let time_zone: Option<String> = given(matches, "time-zone");
    if let Some(zone) = &time_zone {
        let checked = lms_sync::Export::new(&lms).time_zone(zone).map(drop);
        checked.map_err(|error| Failure::usage(format!("--time-zone: {error}")))?;
    }
    let config = Config::load()?;
    let done = match config.profile(name) {
        Ok(_) => "replaced",
        Err(_) => "added",
    };
    if done == "replaced" {
        let question = format!("replace the profile {name} and its secret?");
        confirm(context, &question)?;
    }
    let tags = matches.get_many("tag").into_iter().flatten();
    let profile = Profile {
        base_url,
        client_id,
        secret: secret(context, name, matches, &config)?,
        time_zone,
        limits: context.limits,
        tags: tags.cloned().collect(),
    };
    Config::change(|config| config.set(name, &profile))?;
    context.note(&format!(
        "{done} the profile {name} ({}); check it with `lms profile check --profile {name}`",
        config.path().display()
    ));
    Ok(())
}

/// The place of the secret that the options name, or the one in which the given secret is stored.
fn secret(
    context: &Context,
    name: &str,
    matches: &ArgMatches,
    config: &Config,
) -> Result<SecretSource, Failure> {
    if let Some(command) = given(matches, "credential-command") {
        return Ok(SecretSource::Command(command));
    }
    if let Some(file) = given::<String>(matches, "secret-file") {
        let absolute = std::path::absolute(&file);
        return absolute
            .map(SecretSource::File)
            .map_err(|error| Failure::usage(format!("--secret-file {file}: {error}")));
    }
    let secret = read_secret(context, "the client secret")?;
    if matches.get_flag("keyring") {
        keyring::store(name, &secret)?;
        return Ok(SecretSource::Keyring(true));
    }
    let file = config.secret_file(name);
    write_private(&file, &format!("{secret}\n"))?;
    Ok(SecretSource::File(file))
}

fn list(context: &Context) -> Result<(), Failure> {
    let config = Config::load()?;
    let default = config.default_profile();
    let row = |name: String| {
        let mut listed = Listed {
            default: default.as_ref() == Some(&name),
            ..Listed::default()
        };
        match config.profile(&name) {
            Ok(profile) => {
                listed.secret = Some(match &profile.secret {
                    SecretSource::File(file) => file.display().to_string(),
                    other => other.key().to_owned(),
                });
                listed.tags = profile.tags;
                listed.base_url = Some(profile.base_url);
                listed.client_id = Some(profile.client_id);
            }
            Err(failure) => listed.problem = Some(failure.message().to_owned()),
        }
        Listed { name, ..listed }
    };
    let rows: Vec<_> = config.names().into_iter().map(row).collect();
    if rows.is_empty() {
        context.note("there are no profiles; add one with `lms profile add`");
    }
    Printer::new(context, None)?.rows_of(&rows)
}

fn remove(context: &Context, name: &str) -> Result<(), Failure> {
    let config = Config::load()?;
    let profile = config.profile(name);
    if !config.names().iter().any(|known| known == name) {
        return profile.map(drop);
    }
    confirm(context, &format!("remove the profile {name}?"))?;
    if let Ok(SecretSource::Keyring(_)) = profile.map(|profile| profile.secret) {
        keyring::remove(name)?;
    }
    Config::change(|config| {
        config.remove(name);
        Ok(())
    })?;
    let file = config.secret_file(name);
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Failure::fault(format!(
            "could not remove {}: {error}",
            file.display()
        ))),
        _ => {
            context.note(&format!("removed the profile {name}"));
            Ok(())
        }
    }
}
