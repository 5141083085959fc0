//! The values that a shell offers for an argument, from the configuration, the table of commands and the tenant.
//!
//! An object is offered by its id, and by its names if the word is the beginning of no id.

use std::{collections::BTreeSet, env, ffi::OsString, sync::Arc, time::Duration};

use clap::{Arg, ArgMatches, Command};
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::{
    outputs,
    quoting::{Quoting, is_plain},
};
use crate::{
    commands::arguments::field_of,
    console::visible,
    context::Context,
    operations::{
        lookup::{body_fields, named, operation},
        table::{Command as Row, Field},
    },
    profile::config::Config,
    resolve::{
        kind::{ObjectKind, Reference},
        object,
    },
    session::Session,
};

/// Time for the ids of a tenant, while a person waits.
const LIMIT: Duration = Duration::from_millis(1500);

/// The variable that changes [`LIMIT`].
const LIMIT_VARIABLE: &str = "LMS_COMPLETE_TIMEOUT";

/// The line that a shell completes, as far as it can be read.
struct Line {
    context: Context,
    /// The words of the command, such as `courses` and `list`.
    words: Vec<String>,
    quoting: Quoting,
}

impl Line {
    /// `None` for a line whose options contradict each other.
    fn read(root: Command, line: &[OsString], quoting: Quoting) -> Option<Self> {
        let matches = root.ignore_errors(true).try_get_matches_from(line).ok()?;
        let (mut innermost, mut words): (&ArgMatches, _) = (&matches, Vec::new());
        while let Some((name, inner)) = innermost.subcommand() {
            words.push(name.to_owned());
            innermost = inner;
        }
        let mut context = Context::read(innermost).ok()?;
        context.completes = true;
        Some(Self {
            context,
            words,
            quoting,
        })
    }

    /// The operation of the command.
    fn row(&self) -> Option<&'static Row> {
        named(&self.words.join(" "))
    }

    /// The fields of what the command prints.
    fn columns(&self) -> Vec<CompletionCandidate> {
        if let Some(row) = self.row() {
            let fields = row.output.schema().map_or(&[][..], |schema| schema.fields);
            let printed = fields.iter().filter(|field| !field.secret);
            return printed.map(candidate).collect();
        }
        let schema = outputs::of_command(&self.words.join(" ")).unwrap_or_default();
        let rows = schema.pointer("/properties/rows").unwrap_or(&schema);
        let fields = rows["items"]["properties"].as_object();
        let names = fields.into_iter().flat_map(Map::keys);
        names.map(CompletionCandidate::new).collect()
    }

    /// The objects on the first page of the list; none if it takes long, fails, or needs a secret that is not in a
    /// file.
    fn ids(&self, kind: ObjectKind, by: &str) -> Vec<CompletionCandidate> {
        let limit = env::var(LIMIT_VARIABLE).ok();
        let limit = limit.and_then(|text| humantime::parse_duration(&text).ok());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let listed = runtime.ok().and_then(|runtime| {
            let list = self.list(kind);
            runtime.block_on(async { timeout(limit.unwrap_or(LIMIT), list).await.ok()? })
        });
        let objects = listed.iter().flatten();
        let candidates = objects.flat_map(|object| of_object(object, by, self.quoting));
        candidates.collect()
    }

    async fn list(&self, kind: ObjectKind) -> Option<Vec<Map<String, Value>>> {
        let session = Session::open(&self.context).await.ok()?;
        let list = operation(kind.list()?)?;
        let request = session.lms.raw_operation::<&str>(list, &[]).ok()?;
        let page = request.pages().try_next().await.ok()??;
        let items = page.items.iter();
        items
            .map(|item| serde_json::from_str(item.get()).ok())
            .collect()
    }
}

/// The id of an object, or the field by which it is named, with its name or email address next to it, and its other names.
fn of_object(object: &Map<String, Value>, by: &str, quoting: Quoting) -> Vec<CompletionCandidate> {
    let text = |name: &str| object.get(name)?.as_str().filter(|text| !text.is_empty());
    let Some(id) = text(by).filter(|id| quoting.word(id).is_some()) else {
        return Vec::new();
    };
    let candidate = |text: &str, about: Option<&str>| {
        let about = about.filter(|about| *about != text);
        let about = about.map(|about| visible(about).replace(['\n', '\t'], " ").into());
        let word = quoting.word(text)?;
        Some(CompletionCandidate::new(word).help(about))
    };
    let names = object::of(object).map(|of| of.names).unwrap_or_default();
    let names = names.iter().filter(|(_, name)| *name != id);
    let names = names.filter_map(|(_, name)| candidate(name, Some(id)));
    let about = text("name").or_else(|| text("email"));
    let first = candidate(id, about).into_iter();
    first.chain(names.map(|name| name.hide(true))).collect()
}

fn candidate(field: &Field) -> CompletionCandidate {
    let about = (!field.about.is_empty()).then(|| field.about.into());
    CompletionCandidate::new(field.name).help(about)
}

/// Text of the configuration, which a person may have edited.
fn of_config(read: impl Fn(&Config) -> Vec<String>) -> Vec<CompletionCandidate> {
    let names = Config::load()
        .map(|config| read(&config))
        .unwrap_or_default();
    let plain = names.into_iter().filter(|name| is_plain(name));
    plain.map(CompletionCandidate::new).collect()
}

fn tags(config: &Config) -> Vec<String> {
    let names = config.names().into_iter();
    let tags: BTreeSet<String> = names.flat_map(|name| config.tags(&name)).collect();
    tags.into_iter().collect()
}

/// A command whose arguments have candidates for a line.
pub(super) fn add(root: Command, to_read: Command, line: &[OsString], quoting: Quoting) -> Command {
    match Line::read(to_read, line, quoting) {
        Some(line) => in_command(root, &Arc::new(line)),
        None => root,
    }
}

fn in_command(command: Command, line: &Arc<Line>) -> Command {
    command
        .mut_args(|arg| in_argument(arg, line))
        .mut_subcommands(|inner| in_command(inner, line))
}

fn in_argument(arg: Arg, line: &Arc<Line>) -> Arg {
    let line = line.clone();
    let id = arg.get_id().as_str();
    let of_profiles = line.words.first().is_some_and(|word| word == "profile");
    let field = line.row().and_then(|row| Some((row, field_of(row, id)?)));
    let candidates = match (id, field) {
        ("tag-profiles", _) => ArgValueCandidates::new(|| of_config(tags)),
        ("columns", _) => ArgValueCandidates::new(move || line.columns()),
        ("clear.clear", Some((row, _))) => {
            ArgValueCandidates::new(|| body_fields(row).map(candidate).collect())
        }
        (_, Some((_, field))) => match Reference::of(field) {
            Some(Reference { kind, by }) => ArgValueCandidates::new(move || line.ids(kind, by)),
            None => return arg,
        },
        (id, None) if matches!(id, "profile" | "profiles") || of_profiles && id == "name" => {
            ArgValueCandidates::new(|| of_config(Config::names))
        }
        _ => return arg,
    };
    arg.add(candidates)
}
