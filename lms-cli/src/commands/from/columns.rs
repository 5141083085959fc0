//! Assigns the columns of a file to options.

use std::collections::BTreeMap;

use clap::{ArgMatches, Command as Clap};
use lms_plan::column_key;

use crate::{
    calls::{
        Call,
        input::{Place, fields, id},
    },
    failure::Failure,
    operations::{
        lookup::is_removal,
        table::{Command, Field},
    },
    resolve::kind::{ObjectKind, Reference},
    spreadsheet::Column,
    wording::quoted,
};

/// The columns of results.
pub(super) const COLUMNS: [&str; 5] = ["lms_status", "lms_id", "lms_error", "lms_note", "lms_run"];

/// The name in `--map` of all columns that have no other target.
const ALL_OTHERS: &str = "*";

/// Similarity from which a name is taken for a misspelled one. `vorname` is less similar to `surname`, which it is not.
const TYPO: f64 = 0.75;

pub(super) fn is_own(column: &str) -> bool {
    COLUMNS.contains(&column)
}

/// The target of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) place: Place,
    pub(super) field: &'static Field,
}

/// The columns that a file may have: the options of the command, by name, and those that `--map` names.
#[derive(Debug)]
pub(super) struct Columns {
    /// Each option with its name as it is written.
    options: BTreeMap<String, (String, Target)>,
    mapped: BTreeMap<String, Option<Target>>,
}

impl Columns {
    pub(super) fn of(
        command: &'static Command,
        clap: &Clap,
        matches: &ArgMatches,
    ) -> Result<Self, Failure> {
        let mut options = BTreeMap::new();
        for (place, field) in fields(command) {
            let id = id(place, field);
            let Some(arg) = clap.get_arguments().find(|arg| arg.get_id() == id.as_str()) else {
                continue;
            };
            let target = Target { place, field };
            let aliases = arg.get_all_aliases().unwrap_or_default();
            let names = arg.get_long().into_iter().chain(aliases);
            options.extend(names.map(|name| (column_key(name), (name.to_owned(), target))));
            if place == Place::Path || arg.get_long().is_none() {
                options.insert(column_key(field.name), (field.name.to_owned(), target));
            }
        }
        let mut columns = Self {
            options,
            mapped: BTreeMap::new(),
        };
        for pair in matches.get_many::<String>("map").into_iter().flatten() {
            let Some((column, option)) = pair.rsplit_once('=') else {
                return Err(Failure::usage(format!("--map {pair}: write COLUMN=OPTION")));
            };
            let target = columns.option(option);
            if target.is_none() && !option.is_empty() {
                let reason = columns.unknown(option);
                return Err(Failure::usage(format!("--map {pair}: {reason}")));
            }
            columns.mapped.insert(column.trim().to_owned(), target);
        }
        Ok(columns)
    }

    /// The target of each column; `None` for one that is left out.
    ///
    /// # Errors
    ///
    /// Usage, with all columns that are not known.
    pub(super) fn targets(&self, columns: &[Column]) -> Result<Vec<Option<Target>>, Failure> {
        let names: Vec<_> = columns.iter().map(|column| column.name.trim()).collect();
        let mut mapped = self.mapped.iter().filter(|(_, target)| target.is_some());
        let absent =
            mapped.find(|(name, _)| *name != ALL_OTHERS && !names.contains(&name.as_str()));
        if let (false, Some((absent, _))) = (names.is_empty(), absent) {
            return Err(
                Failure::usage(format!("--map {absent}: the file has no such column"))
                    .advice(format!("its columns are {}", names.join(", "))),
            );
        }
        let targets: Vec<_> = names.iter().map(|name| self.target(name)).collect();
        let unknown = columns
            .iter()
            .zip(&targets)
            .filter(|(_, target)| target.is_none());
        let unknown = unknown.map(|(column, _)| (column.line, column.name.trim()));
        let unknown: Vec<_> = unknown.collect();
        if unknown.is_empty() {
            return Ok(targets.into_iter().flatten().collect());
        }
        let reasons = unknown
            .iter()
            .map(|(line, name)| format!("line {line}, {name}: {}", self.unknown(name)));
        let maps = unknown.iter().map(|(_, name)| {
            let option = self.nearest(name).unwrap_or_default();
            format!("--map {}", quoted(&format!("{name}={option}")))
        });
        let maps = maps.collect::<Vec<_>>().join(" ");
        Err(Failure::usage(reasons.collect::<Vec<_>>().join("\n  ")).advice(format!(
            "add the option of each column after its =, or leave the column out: {maps}; --map '{ALL_OTHERS}=' leaves all such columns out"
        )))
    }

    /// The target of a column, or none if it is left out; `None` if it is not known.
    fn target(&self, column: &str) -> Option<Option<Target>> {
        let key = column_key(column);
        if let Some(target) = self.mapped.get(column) {
            return Some(*target);
        }
        if column.is_empty() || COLUMNS.iter().any(|own| column_key(own) == key) {
            return Some(None);
        }
        let all_others = || self.mapped.get(ALL_OTHERS).copied();
        self.option(column).map(Some).or_else(all_others)
    }

    fn option(&self, name: &str) -> Option<Target> {
        let (_, target) = self.options.get(&column_key(name))?;
        Some(*target)
    }

    /// Says that an option is not known, with the one that is spelled nearly the same.
    fn unknown(&self, name: &str) -> String {
        let nearest = self.nearest(name);
        let nearest = nearest.map_or(String::new(), |name| format!("; the nearest is {name}"));
        format!("{name} is not an option of the command{nearest}")
    }

    /// The option that is spelled nearly the same.
    fn nearest(&self, name: &str) -> Option<&str> {
        let normal = column_key(name);
        let close = |known: &str| strsim::normalized_damerau_levenshtein(known, &normal);
        let options = self.options.iter();
        let nearest = options.max_by(|(a, _), (b, _)| close(a).total_cmp(&close(b)));
        let (_, (name, _)) = nearest.filter(|(known, _)| close(known) >= TYPO)?;
        Some(name)
    }
}

/// Fails if neither a column nor the command names the objects of the rows, or if no column limits a removal: each row would
/// remove the same.
pub(super) fn require_path(
    base: &Call,
    columns: &[Column],
    targets: &[Option<Target>],
) -> Result<(), Failure> {
    let has = |field: &Field| {
        let is_it =
            |target: &Target| target.place == Place::Path && target.field.name == field.name;
        base.input.has(Place::Path, field) || targets.iter().flatten().any(is_it)
    };
    let is_limit = |target: &Target| target.place == Place::Query;
    if is_removal(base.command)
        && base.command.path.is_empty()
        && !targets.iter().flatten().any(is_limit)
    {
        let flags: Vec<_> = base.command.query.iter().map(|field| field.flag).collect();
        let (flags, command) = (flags.join(" or "), base.command.name());
        let message = format!("{command}: the file has no column {flags}; nothing was sent");
        return Err(Failure::usage(message).advice("name one with --map COLUMN=OPTION"));
    }
    let Some(missing) = base.command.path.iter().find(|field| !has(field)) else {
        return Ok(());
    };
    // Another column may name the objects too.
    let kind = Reference::of_path(base.command, missing).map(|reference| reference.kind);
    let names = |target: &Target| kind.is_some_and(|kind| kind.is_named_by(target.field.name));
    let mut others = columns.iter().zip(targets);
    let other = others.find(|(_, target)| target.as_ref().is_some_and(names));
    let (id, command) = (missing.flag, base.command.name());
    let advice = match other {
        Some((Column { name, .. }, _)) => {
            let (name, noun) = (name.trim(), kind.map_or_else(String::new, ObjectKind::noun));
            format!("if {name} says which {noun} it is, pass --map '{name}={id}'")
        }
        None => format!("add a column {id}, or name one with --map COLUMN={id}"),
    };
    let message = format!("{command}: the file has no column {id}; nothing was sent");
    Err(Failure::usage(message).advice(advice))
}
