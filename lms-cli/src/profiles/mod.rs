//! `profile add`, `list`, `remove`, `use` and `check`.

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    args::{self, switch, text, yes},
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
        Arg::new("name")
            .value_name("NAME")
            .required(true)
            .help("Name of the profile")
    };
    Command::new("profile")
        .about("Tenants with their credentials: add, list, use, check, remove")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(add_command().arg(name()))
        .subcommand(Command::new("list").about("List the profiles"))
        .subcommand(
            Command::new("use")
                .about("Make a profile the default")
                .arg(name()),
        )
        .subcommand(
            Command::new("check")
                .about("Check the connection and the credentials; `lms doctor` checks more"),
        )
        .subcommand(
            Command::new("rm")
                .aliases(["remove", "delete"])
                .about("Remove a profile and its stored secret")
                .arg(name())
                .arg(yes("Do not ask for confirmation")),
        )
}

fn add_command() -> Command {
    Command::new("add")
        .about("Add or replace a profile; asks for the secret, or reads it from stdin")
        .override_usage("lms profile add <NAME> --base-url <URL> --client-id <ID> [OPTIONS]")
        .arg(text(
            "credential-command",
            "COMMAND",
            "A shell command that prints the secret",
        ))
        .arg(
            text(
                "secret-file",
                "FILE",
                "A file with the secret, with mode 0600",
            )
            .value_hint(ValueHint::FilePath)
            .conflicts_with("credential-command"),
        )
        .arg(text(
            "time-zone",
            "NAME",
            "Time zone of the tenant's times that have none: Europe/Berlin or +02:00",
        ))
        .arg(
            text(
                "tag",
                "TAG",
                "Tag by which --tag-profiles selects several profiles; can be repeated",
            )
            .action(ArgAction::Append),
        )
        .arg(
            switch("keyring", "Store the secret in the keyring of the system")
                .conflicts_with_all(["credential-command", "secret-file"]),
        )
        .arg(yes("Replace a profile of this name without a question"))
}

/// Runs a command about profiles.
pub(crate) async fn run(
    context: &Context,
    verb: &str,
    matches: &ArgMatches,
) -> Result<(), Failure> {
    let given = |name: &str| args::given::<String>(matches, name);
    let name = given("name").unwrap_or_default();
    match verb {
        "add" => {
            let secret = match (given("credential-command"), given("secret-file")) {
                (Some(command), _) => Some(SecretSource::Command(command)),
                (None, Some(file)) => Some(SecretSource::File(absolute(&file)?)),
                (None, None) => {
                    let keyring = || SecretSource::Keyring(name.clone());
                    matches.get_flag("keyring").then(keyring)
                }
            };
            let tags = matches.get_many::<String>("tag").into_iter().flatten();
            let tags = tags.cloned().collect();
            add(context, &name, secret, given("time-zone"), tags)
        }
        "list" => list(context),
        "use" => {
            let mut config = Config::load()?;
            config.profile(&name)?;
            config.set_default(&name);
            config.save()?;
            context.note(&format!("{name} is the default"));
            Ok(())
        }
        "check" => doctor::brief(context).await,
        _ => remove(context, &name),
    }
}

fn absolute(file: &str) -> Result<std::path::PathBuf, Failure> {
    std::path::absolute(file)
        .map_err(|error| Failure::usage(format!("--secret-file {file}: {error}")))
}

fn add(
    context: &Context,
    name: &str,
    secret: Option<SecretSource>,
    time_zone: Option<String>,
    tags: Vec<String>,
) -> Result<(), Failure> {
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
    if let Some(zone) = &time_zone {
        let checked = lms_sync::Export::new(&lms).time_zone(zone).map(drop);
        checked.map_err(|error| Failure::usage(format!("--time-zone: {error}")))?;
    }
    let mut config = Config::load()?;
    let done = match config.profile(name) {
        Ok(_) => "replaced",
        Err(_) => "added",
    };
    if done == "replaced" {
        let question = format!("replace the profile {name} and its secret?");
        confirm(context, &question)?;
    }
    let secret = match secret {
        Some(SecretSource::Keyring(_)) => {
            let secret = read_secret(context, "the client secret")?;
            keyring::store(name, &secret)?;
            SecretSource::Keyring(name.to_owned())
        }
        Some(source) => source,
        None => {
            let secret = read_secret(context, "the client secret")?;
            let file = config.secret_file(name);
            write_private(&file, &format!("{secret}\n"))?;
            SecretSource::File(file)
        }
    };
    let profile = Profile {
        base_url,
        client_id,
        secret,
        time_zone,
        limits: context.limits,
        tags,
    };
    config.set(name, &profile);
    config.save()?;
    context.note(&format!(
        "{done} the profile {name} ({}); check it with `lms profile check --profile {name}`",
        config.path().display()
    ));
    Ok(())
}

fn list(context: &Context) -> Result<(), Failure> {
    let config = Config::load()?;
    let default = config.default_profile();
    let row = |name: String| {
        let listed = Listed {
            default: default.as_ref() == Some(&name),
            ..Listed::default()
        };
        match config.profile(&name) {
            Ok(profile) => Listed {
                name,
                tags: profile.tags,
                base_url: Some(profile.base_url),
                client_id: Some(profile.client_id),
                secret: Some(match &profile.secret {
                    SecretSource::File(file) => file.display().to_string(),
                    other => other.key().to_owned(),
                }),
                ..listed
            },
            Err(failure) => Listed {
                name,
                problem: Some(failure.message().to_owned()),
                ..listed
            },
        }
    };
    let rows: Vec<_> = config.names().into_iter().map(row).collect();
    if rows.is_empty() {
        context.note("there are no profiles; add one with `lms profile add`");
    }
    Printer::new(context, None)?.rows_of(&rows)
}

fn remove(context: &Context, name: &str) -> Result<(), Failure> {
    let mut config = Config::load()?;
    if !config.names().iter().any(|known| known == name) {
        config.profile(name)?;
    }
    confirm(context, &format!("remove the profile {name}?"))?;
    if let Ok(Profile {
        secret: SecretSource::Keyring(_),
        ..
    }) = config.profile(name)
    {
        keyring::remove(name)?;
    }
    config.remove(name);
    config.save()?;
    let file = config.secret_file(name);
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(Failure::fault(format!(
                "could not remove {}: {error}",
                file.display()
            )));
        }
        _ => {}
    }
    context.note(&format!("removed the profile {name}"));
    Ok(())
}
