//! The database of a mirror, as it is written in an argument: `sqlite:FILE` or `postgres://USER@HOST/DATABASE`.
//!
//! The URL of PostgreSQL may have a password. It is parsed here and not by clap, which repeats invalid values.

use std::{fmt, fs, path::PathBuf};

use clap::{Arg, ArgMatches, builder::ValueParser};
#[cfg(feature = "postgres")]
use lms_sync::sink::postgres::{self, PostgresSchema, PostgresSink};
use lms_sync::{
    Collection, CompletenessRecord,
    changes::Changes,
    mirror::{Mirror, MirrorPolicy, MirrorReader, MirrorSink},
    sink::{
        Sink,
        sqlite::{self, SqliteSink},
    },
};

use super::destination;
use crate::{
    context::Context,
    exit::Exit,
    failure::Failure,
    profile::{self, without_path},
};

/// The option for tables, or views in PostgreSQL, that several tenants share.
pub(super) const ONE_SCHEMA: &str = "one-schema";

/// The forms in which a database is given.
#[cfg(feature = "postgres")]
pub(super) const FORMS: &str = "sqlite:FILE or postgres://USER@HOST/DATABASE?schema=NAME";
#[cfg(not(feature = "postgres"))]
pub(super) const FORMS: &str = "sqlite:FILE";

/// The database of a mirror.
#[derive(Clone, Debug)]
pub(super) enum Database {
    Sqlite(PathBuf),
    #[cfg(feature = "postgres")]
    Postgres(Box<PostgresSchema>),
}

/// The argument for a database.
pub(super) fn argument(name: &'static str, help: &str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("DATABASE")
        .required(true)
        .value_parser(ValueParser::new(check))
        .help(format!("{help}: {FORMS}"))
}

/// Leaves a text that may have a password to [`Database::of`].
fn check(text: &str) -> Result<String, String> {
    if sqlite_path(text).is_some() || text.contains("://") && !text.starts_with("sqlite:") {
        return Ok(text.to_owned());
    }
    Err(mistake())
}

fn mistake() -> String {
    format!("write {FORMS}, for example sqlite:tenant.db")
}

fn sqlite_path(text: &str) -> Option<&str> {
    let path = text.strip_prefix("sqlite:")?;
    // In a URL, what follows `//` is a host, except in `sqlite:///path`.
    let is_host = path.starts_with("//") && !path.starts_with("///");
    (!is_host && !path.is_empty()).then_some(path)
}

impl Database {
    /// The database that an argument names.
    ///
    /// `{profile}` in it is the name of the profile. Without it, each of several tenants has a schema of its own, or a file in a
    /// folder next to the one that they share.
    pub(super) fn of(context: &Context, matches: &ArgMatches, name: &str) -> Result<Self, Failure> {
        let text = matches.get_one::<String>(name).map_or("", String::as_str);
        let parsed = Self::parse(&destination::with_profile(context, text)?)?;
        let parsed = parsed.ok_or_else(|| Failure::usage(format!("--{name}: {}", mistake())))?;
        let shares = matches!(matches.try_get_one(ONE_SCHEMA), Ok(Some(true)));
        match &context.tenant {
            _ if shares => parsed.of_one(destination::profile(context, "--one-schema")?, shares),
            Some(tenant) if !destination::has_profile(text) => parsed.of_one(tenant, shares),
            _ => Ok(parsed),
        }
    }

    /// The database of a mirror that an argument names. Blocks.
    ///
    /// # Errors
    ///
    /// Usage, if it is not of the tenant that the options name: the result would be about other people.
    pub(super) fn of_tenant(
        context: &Context,
        matches: &ArgMatches,
        name: &str,
    ) -> Result<Self, Failure> {
        let database = Self::of(context, matches, name)?;
        let Some(base_url) = profile::named_base_url(context)? else {
            return Ok(database);
        };
        let records = database.read(|mirror| Ok(mirror.records()?))?;
        let is_other =
            |of: &&CompletenessRecord| without_path(&of.tenant) != without_path(&base_url);
        match records.iter().find(is_other) {
            None => Ok(database),
            Some(of) => Err(Failure::usage(format!(
                "the mirror has the data of {}, and not of {base_url}",
                of.tenant
            ))
            .advice(format!(
                "name the mirror of this tenant with --{name}, or leave out --profile"
            ))),
        }
    }

    /// The database of all tenants, if the option was given.
    pub(super) fn shared(matches: &ArgMatches, name: &str) -> Result<Option<Self>, Failure> {
        if !matches.get_flag(ONE_SCHEMA) {
            return Ok(None);
        }
        let text = matches.get_one::<String>(name).map_or("", String::as_str);
        if destination::has_profile(text) {
            return Err(Failure::usage(format!(
                "--{ONE_SCHEMA} needs one database, without {{profile}} in its name"
            )));
        }
        Self::parse(text)
    }

    /// Brings the rows of the mirrors of tenants into this file, whose views cannot read other files; or makes views over them in
    /// PostgreSQL. Blocks.
    pub(super) fn unite(
        &self,
        tenants: Vec<(String, Self)>,
        collections: &[&'static Collection],
    ) -> Result<(), Failure> {
        match self {
            Self::Sqlite(shared) => {
                let tenants = tenants.iter().filter_map(|(name, own)| match own {
                    Self::Sqlite(own) if own.exists() => {
                        Some(sqlite::share(shared, own, name, collections))
                    }
                    _ => None,
                });
                // A tenant that fails does not keep out the others.
                let tenants: Vec<_> = tenants.collect();
                Ok(tenants.into_iter().collect::<Result<_, _>>()?)
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(shared) => {
                let tenants = tenants.into_iter().filter_map(|(name, own)| match own {
                    Self::Postgres(own) => Some((name, *own)),
                    Self::Sqlite(_) => None,
                });
                let tenants: Vec<_> = tenants.collect();
                Ok(postgres::union_views(shared, &tenants)?)
            }
        }
    }

    /// The database of one of several tenants that share this one.
    fn of_one(self, tenant: &str, shares: bool) -> Result<Self, Failure> {
        let name = destination::checked(tenant)?;
        match self {
            Self::Sqlite(shared) => {
                let mut folder = shared.into_os_string();
                folder.push("-tenants");
                let folder = PathBuf::from(folder);
                if shares {
                    fs::create_dir_all(&folder).map_err(|error| {
                        Failure::fault(format!("could not create {}: {error}", folder.display()))
                    })?;
                }
                if folder.exists() {
                    return Ok(Self::Sqlite(folder.join(format!("{name}.db"))));
                }
                Err(Failure::usage(
                    "several tenants need a file each; write {profile} into its name",
                )
                .advice("for example: sqlite:{profile}.db; with `lms mirror --one-schema`, one file has the rows of all"))
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(schema) => {
                let own = match schema.name() {
                    "public" => name.to_owned(),
                    shared => format!("{shared}_{name}"),
                };
                Ok(Self::Postgres(Box::new(schema.schema(own))))
            }
        }
    }

    /// The database that a text names; `None` if it names something else. The password of PostgreSQL is that of the URL or of
    /// `PGPASSWORD`.
    pub(super) fn parse(text: &str) -> Result<Option<Self>, Failure> {
        #[cfg(feature = "postgres")]
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let mut schema: PostgresSchema = text.parse()?;
            if !schema.has_password()
                && let Ok(password) = std::env::var("PGPASSWORD")
            {
                schema = schema.password(&password);
            }
            return Ok(Some(Self::Postgres(Box::new(schema))));
        }
        Ok(sqlite_path(text).map(|path| Self::Sqlite(path.into())))
    }

    /// The sink of a run, which continues the unfinished one or discards it.
    pub(super) fn sink(&self, policy: MirrorPolicy, discards: bool) -> Box<dyn Sink> {
        match self {
            Self::Sqlite(path) => Box::new(configured(SqliteSink::new(path), policy, discards)),
            #[cfg(feature = "postgres")]
            Self::Postgres(schema) => {
                let sink = PostgresSink::new((**schema).clone());
                Box::new(configured(sink, policy, discards))
            }
        }
    }

    /// The argument that names it, without a password.
    pub(super) fn argument(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite:{}", path.display()),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "DATABASE".to_owned(),
        }
    }

    /// The mirror in it, to read. Fails if a file does not exist, which readers cannot tell from one that they may not read.
    pub(super) fn existing(&self) -> Result<Mirror, Failure> {
        match self {
            Self::Sqlite(path) if !path.exists() => {
                let message = format!("there is no mirror in {}", path.display());
                Err(Failure::usage(message).advice("create it with `lms mirror`"))
            }
            Self::Sqlite(path) => Ok(Mirror::sqlite(path)),
            #[cfg(feature = "postgres")]
            Self::Postgres(schema) => Ok(Mirror::postgres(schema)),
        }
    }

    /// Calls `work` with the mirror as it is at one moment. Blocks.
    pub(super) fn read<T: Send>(
        &self,
        work: impl FnOnce(&mut MirrorReader<'_>) -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        let mirror = self.existing()?;
        match mirror.read(|mirror| Ok(work(mirror)))? {
            // Its query may name a column that the tables lack.
            Err(failure) if failure.exit() == Exit::Usage => {
                let outdated: Vec<&str> = mirror.read(|mirror| {
                    let outdated = mirror.outdated()?;
                    Ok(outdated.iter().map(|known| known.name).collect())
                })?;
                if outdated.is_empty() {
                    return Err(failure);
                }
                Err(failure.advice(format!(
                    "an earlier version wrote the mirror; lms mirror {} --to {}",
                    outdated.join(","),
                    self.argument()
                )))
            }
            read => read,
        }
    }

    pub(super) fn changes(&self) -> Result<Changes, Failure> {
        self.existing()?;
        let changes = match self {
            Self::Sqlite(path) => Changes::sqlite(path),
            #[cfg(feature = "postgres")]
            Self::Postgres(schema) => Changes::postgres(schema),
        };
        Ok(changes?)
    }
}

fn configured<P>(sink: MirrorSink<P>, policy: MirrorPolicy, discards: bool) -> MirrorSink<P> {
    let sink = sink.policy(policy);
    match discards {
        true => sink.discard_unfinished(),
        false => sink,
    }
}

/// Without a password.
impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "{}", path.display()),
            #[cfg(feature = "postgres")]
            Self::Postgres(schema) => write!(f, "the {schema}"),
        }
    }
}
