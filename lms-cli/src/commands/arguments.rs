//! The clap commands of the operations, made from the table.

use std::{collections::BTreeSet, sync::LazyLock};

use clap::{
    Arg, ArgAction, Command,
    builder::{PossibleValuesParser, TypedValueParser as _},
    value_parser,
};

use super::{from_options, shown_names};
use crate::{
    args::{IF_NOT_EXISTS, file, switch, text, yes},
    calls::{
        input::{CLEAR, Place, fields, id},
        value::checked,
    },
    context,
    limits::duration,
    operations::{
        lookup::{COMMANDS, body_fields, find, is_removal, is_write},
        table::{Command as Row, Field, Kind, Output},
    },
    resolve::kind::{ObjectKind, Reference},
    selection, verbs,
};

/// Aliases of verbs, as other programs name them.
const ALIASES: [(&str, &[&str]); 5] = [
    ("list", &["ls"]),
    ("get", &["show", "view"]),
    ("add", &["create", "new"]),
    ("edit", &["update"]),
    ("rm", &["delete", "remove"]),
];

/// The options that commands of operations have besides those of fields, of which no field may take the name.
static RESERVED: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let own =
        "help version limit page-size body dry-run yes clear wait wait-timeout to query enrol";
    let options = [
        context::options(),
        selection::options(),
        from_options::options(true),
    ]
    .concat();
    let options = options.iter().filter_map(Arg::get_long);
    options.chain(own.split(' ')).map(str::to_owned).collect()
});

/// The field that an argument of a command sets.
pub(crate) fn field_of(row: &'static Row, argument: &str) -> Option<&'static Field> {
    fields(row)
        .find(|(place, field)| id(*place, field) == argument)
        .map(|(_, field)| field)
}

/// One clap command for each resource, with its verbs, and those of one word.
pub(crate) fn resources() -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    for row in COMMANDS {
        if row.resource.is_empty() {
            commands.push(verb(row));
            continue;
        }
        let known = commands
            .iter()
            .position(|command| command.get_name() == row.resource);
        let resource = match known {
            Some(index) => commands.remove(index),
            None => Command::new(row.resource)
                .about(row.about)
                .subcommand_required(true)
                .arg_required_else_help(true),
        };
        let resource = resource.subcommand(verb(row));
        commands.insert(known.unwrap_or(commands.len()), resource);
    }
    commands
}

/// The clap command of an operation.
pub(super) fn verb(row: &'static Row) -> Command {
    let mut command = Command::new(row.verb)
        .about(row.summary)
        .long_about(format!(
            "{}\n\n{}{}{}The description of the API: {}",
            row.summary,
            what_it_adds(row),
            names(row),
            shown_names::help(row),
            row.description
        ));
    let aliases = ALIASES.iter().filter(|(verb, _)| *verb == row.verb);
    let aliases = aliases.flat_map(|(_, aliases)| aliases.iter());
    command = command.aliases(aliases.filter(|alias| find(row.resource, alias).is_none()));
    let of_path = row.path.iter().map(|field| positional(field, Place::Path));
    let of_body = body_fields(row).filter(|field| row.positional.contains(&field.name));
    let positionals = of_path.chain(of_body.map(|field| positional(field, Place::Body)));
    // The rows of a file have their own.
    command = command.args(positionals.map(|arg| match is_write(row) {
        true => arg.required(false).required_unless_present("from"),
        false => arg,
    }));
    let query = row.query.iter();
    command = command.args(query.map(|field| option(field, Place::Query, long(field))));
    for field in body_fields(row).filter(|field| !row.positional.contains(&field.name)) {
        let mut name = long(field);
        if row.query.iter().any(|parameter| long(parameter) == name) {
            name.insert_str(0, "body-");
        }
        let replaced = option(field, Place::Body, name);
        command = if field.list && verbs::of(row).is_edit() {
            let help = format!("{} Replaces the list. Can be repeated", field.about);
            command.arg(replaced.help(help)).args(parts(field))
        } else {
            command.arg(replaced)
        };
    }
    command.args(extras(row))
}

/// The effects of the command beyond its operation, as a paragraph.
fn what_it_adds(row: &Row) -> &'static str {
    match row.output {
        Output::List { pages: true, .. } => {
            "Prints the objects of all pages, or as many as --limit says.\n\n"
        }
        _ if is_removal(row) => "Asks for confirmation, unless there is --yes.\n\n",
        _ if verbs::of(row).is_edit() => {
            "Changes the given fields and keeps all others: the object is read, changed and written back.\n\n"
        }
        _ => "",
    }
}

/// The arguments that take the name of an object, and the requests that it costs, as a paragraph.
fn names(row: &'static Row) -> String {
    let of_path = row.path.iter().map(|field| Reference::of_path(row, field));
    let others = row.query.iter().chain(body_fields(row)).map(Reference::of);
    let references = of_path.chain(others).flatten();
    let kinds: BTreeSet<ObjectKind> = references.map(|reference| reference.kind).collect();
    let costs: Vec<_> = kinds.into_iter().map(ObjectKind::cost).collect();
    match costs.as_slice() {
        [] => String::new(),
        costs => format!("Names instead of ids: {}.\n\n", costs.join("; ")),
    }
}

/// The options that do not come from the document.
fn extras(row: &'static Row) -> Vec<Arg> {
    let verb = verbs::of(row);
    let mut extras = Vec::new();
    if let Output::List { pages, .. } = row.output {
        extras.push(count(
            "limit",
            "Maximum number of objects to print [default: all]",
        ));
        if pages {
            extras.push(count(
                "page-size",
                "Objects per request [default: as the service chooses]",
            ));
            let help =
                "Pages in a row without a new row after which the list is given up [default: 1000]";
            extras.push(text("max-stale-pages", "N", help).value_parser(value_parser!(u64)));
        }
    }
    if !is_write(row) {
        extras.extend(selection::options());
    }
    if row.body.is_some() {
        extras.push(file(
            "body",
            "FILE",
            "Read the body as JSON from a file, or from stdin with -; options replace its fields",
        ));
    }
    if verb.is_edit() {
        extras.push(own(&CLEAR, Place::Clear).value_name("FIELDS"));
    }
    if let Some(help) = verb.if_not_exists() {
        extras.push(switch(IF_NOT_EXISTS, help));
    }
    let steps = verb.steps(row).into_iter();
    extras.extend(steps.map(|(place, field)| step(place, field)));
    if is_write(row) {
        extras.extend(from_options::options(verb.is_edit()));
        extras.push(switch(
            "dry-run",
            "Show what would be sent or changed; send no change",
        ));
    }
    if matches!(row.output, Output::Nothing) {
        extras.push(yes("Do not ask for confirmation"));
    }
    if verb.waits() {
        extras.extend(waits());
    }
    extras
}

/// Options that wait for the copy of a course.
fn waits() -> [Arg; 2] {
    [
        switch("wait", "Wait for the copy, and print the new course"),
        text(
            "wait-timeout",
            "TIME",
            "Time after which --wait fails, such as 10m; the copy continues",
        )
        .default_value("30m")
        .value_parser(duration)
        .requires("wait"),
    ]
}

/// An option for a step after an addition that can be repeated, because it looks up the object first.
fn step(place: Place, field: &'static Field) -> Arg {
    let [adds, _] = parts(field);
    let arg = match place {
        Place::Enrol => own(field, place).value_name("COURSES"),
        _ => adds,
    };
    arg.requires(IF_NOT_EXISTS)
}

/// An option that is not in the document, with values separated by commas.
fn own(field: &'static Field, place: Place) -> Arg {
    Arg::new(id(place, field))
        .long(field.flag)
        .help(field.about)
        .value_delimiter(',')
        .action(ArgAction::Append)
}

fn count(name: &'static str, help: &'static str) -> Arg {
    text(name, "N", help).value_parser(value_parser!(u64).range(1..))
}

fn positional(field: &'static Field, place: Place) -> Arg {
    let name = field.name.to_uppercase();
    Arg::new(id(place, field))
        .value_name(name)
        .required(true)
        .help(field.about)
}

/// The name of the option of a field, without dashes.
pub(crate) fn long(field: &'static Field) -> String {
    if !RESERVED.contains(field.flag) {
        return field.flag.to_owned();
    }
    let plural = field.name.replace('_', "-");
    if RESERVED.contains(&plural) {
        format!("{plural}-field")
    } else {
        plural
    }
}

fn option(field: &'static Field, place: Place, long: String) -> Arg {
    let plural = field.name.replace('_', "-");
    let value_name = match field.kind {
        _ if field.secret => "-",
        Kind::Text => "TEXT",
        Kind::Id(_) => "ID",
        Kind::Integer => "INTEGER",
        Kind::Number => "NUMBER",
        Kind::Boolean => "BOOL",
        Kind::Timestamp => "TIME",
        Kind::Json => "JSON",
    };
    let help = match (field.about, field.secret) {
        ("", _) => format!("Sets {}", field.name),
        (about, false) => about.to_owned(),
        (about, true) => format!("{about} Write - and give the value on stdin"),
    };
    let mut arg = Arg::new(id(place, field)).value_name(value_name);
    if field.list {
        arg = arg.action(ArgAction::Append);
        if plural != long && field.flag == long {
            arg = arg.alias(plural);
        }
    }
    arg = match field.list {
        true => arg.help(format!("{help} Can be repeated")),
        false => arg.help(help),
    };
    arg = arg.long(long).allow_hyphen_values(true);
    match field.kind {
        Kind::Boolean => arg
            .allow_hyphen_values(false)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_parser(PossibleValuesParser::new(["true", "false"])),
        Kind::Integer | Kind::Number => arg.value_parser(move |text: &str| checked(field, text)),
        _ if !field.values.is_empty() => arg.ignore_case(true).value_parser(
            PossibleValuesParser::new(field.values).try_map(move |text| checked(field, &text)),
        ),
        _ => arg,
    }
}

/// The options that change a list without replacing it.
fn parts(field: &'static Field) -> [Arg; 2] {
    [(Place::Add, "Adds to"), (Place::Remove, "Removes from")].map(|(place, what)| {
        let rest = "and keeps the rest of the list. Can be repeated";
        option(field, place, format!("{place}-{}", field.flag))
            .help(format!("{what} {}, {rest}", field.name))
    })
}
