//! `import init`: a first mapping from the columns of a file.

use std::{collections::HashSet, fmt::Write as _, path::Path};

use clap::{ArgMatches, Command};
use lms_plan::column_key;

use super::{
    Context, Failure,
    file::{self, given},
};
use crate::{args, calls::stdin::Stdin, spreadsheet::Table};

/// Fields, and the keys of columns that usually have them.
const FIELDS: [(&str, &str); 6] = [
    ("email", "email emailaddress mail workemail"),
    ("firstname", "firstname givenname vorname forename"),
    ("surname", "surname lastname nachname familyname name"),
    ("username", "username login userid"),
    ("phone_number", "phone phonenumber telephone telefon mobile"),
    ("sso_id", "ssoid objectid upn"),
];

/// Keys of columns that identify a person forever.
const KEYS: &str = "personnelno personnelnumber personalnummer employeeid employeenumber employeeno staffid hrid id";

pub(super) fn command() -> Command {
    let to = args::file("to", "FILE", "The mapping to write");
    Command::new("init")
        .about("Write a first mapping from the columns of a file")
        .arg(file::people_arg())
        .arg(to.required(true))
}

/// The names of the columns that have one.
fn names(table: &Table) -> Vec<&str> {
    let columns = table.columns.iter().map(|column| column.name.trim());
    columns.filter(|name| !name.is_empty()).collect()
}

pub(super) fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let (people, to) = (given(matches, "people"), given(matches, "to"));
    if Path::new(to).exists() {
        return Err(
            Failure::usage(format!("{to} exists already")).advice("name another file with --to")
        );
    }
    let (_, table) = file::table(context, &mut Stdin::of(context), people)?;
    let names = names(&table);
    let (key, check) = key(&table, &names);
    if let Some(check) = &check {
        context.note(&format!("check the key: {check}"));
    }
    super::write_private(Path::new(to), &mapping(&names, key, check.as_deref()))?;
    context.note(&format!(
        "wrote {to}; check it, then: lms import plan {people} --map {to} --to plan.json"
    ));
    Ok(())
}

/// The place of a column in the list of usual ones.
fn usual(column: &str, words: &str) -> Option<usize> {
    let key = column_key(column);
    words.split(' ').position(|word| word == key)
}

/// The most usual of the columns.
fn find<'a>(columns: &[&'a str], words: &str) -> Option<&'a str> {
    let known = columns
        .iter()
        .filter(|column| usual(column, words).is_some());
    known.min_by_key(|column| usual(column, words)).copied()
}

/// The column that identifies a person: one with a usual name, or another, with a value of its own in each row. And the
/// reason why a person has to check it.
fn key<'a>(table: &Table, columns: &[&'a str]) -> (&'a str, Option<String>) {
    let is_unique = |name: &&str| {
        let mut all = table.columns.iter();
        let place = all.position(|column| column.name.trim() == *name);
        let mut seen = HashSet::new();
        table.records.iter().all(|record| {
            let cell = record.cells.iter().find(|(index, _)| Some(*index) == place);
            let text = cell.and_then(|(_, value)| value.identifier().ok());
            text.is_some_and(|text| !text.is_empty() && seen.insert(text))
        })
    };
    let has_field = |name: &&str| FIELDS.iter().any(|(_, words)| usual(name, words).is_some());
    let mut candidates = columns.to_vec();
    candidates.sort_by_key(|name| (usual(name, KEYS).unwrap_or(usize::MAX), has_field(name)));
    let unique = candidates.iter().copied().find(is_unique);
    let key = unique.or(candidates.first().copied()).unwrap_or_default();
    let check = match unique {
        Some(key) if usual(key, KEYS).is_some() => None,
        Some(_) => Some("does not look like a personnel number, and must never change"),
        None => Some(
            "is empty or repeated in some rows, and no column has a value of its own in each row",
        ),
    };
    (key, check.map(|check| format!("{key} {check}")))
}

/// A mapping of these columns.
fn mapping(columns: &[&str], key: &str, check: Option<&str>) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let check = check.map_or(String::new(), |check| format!("# Check this: {check}.\n"));
    let mut text = format!(
        "# Column whose value identifies a person forever, such as a personnel number. Addresses and names can change.\n{check}key = {}\n\n# Fields that are set for new learners and never changed after that.\n# only_new = [\"username\"]\n\n# Fields that the file decides, although a person has changed them in the tenant.\n# wins = [\"surname\"]\n\n# field = column\n[fields]\n",
        quoted(key)
    );
    let mut used = vec![key];
    for (field, words) in FIELDS {
        match find(columns, words) {
            Some(column) => {
                used.push(column);
                // Writing into a text does not fail.
                let _ = writeln!(text, "{field} = {}", quoted(column));
            }
            None => _ = writeln!(text, "# {field} = \"…\""),
        }
    }
    let mut others = columns.iter().filter(|column| !used.contains(column));
    let other = others.next().unwrap_or(&"department");
    let _ = write!(
        text,
        "\n# Tags and courses (by name or id) by the text of columns; can be repeated.\n# [[rules]]\n# when = {{ {0} = \"…\" }}\n# tags = [\"…\"]\n# courses = [\"…\"]\n\n# People on leave: nothing about them is changed.\n# [away]\n# {0} = \"…\"\n\n# How learners are added. Without it, none is added.\n# [create]\n# generate_password = true\n# send_email = false\n\n# People who are not in the file any more: they are unenrolled and tagged, never deleted.\n# [leavers]\n# gone_after = \"14d\"\n# tag = \"left\"\n\n# A plan beyond these limits needs approval.\n# [guards]\n# leave = {{ share = \"5%\", max = 50 }}\n# keys = {{ share = \"20%\" }}\n# shrink = {{ share = \"10%\" }}\n# exchange = {{ share = \"20%\" }}\n# rules = {{ share = \"0%\" }}\n",
        quoted(other)
    );
    text
}

#[cfg(test)]
mod tests {
    use lms_plan::Mapping;

    use super::{key, mapping, names};
    use crate::spreadsheet;

    #[test]
    fn a_first_mapping_is_valid_with_and_without_its_examples() {
        let file =
            "Vorname,Personal-Nummer,E-Mail,Surname,\"Dept \"\"x\"\"\"\nA,1,a@b.example,B,X\n";
        let table = spreadsheet::read(file.as_bytes()).unwrap();
        let names = names(&table);
        let (key, check) = key(&table, &names);
        let text = mapping(&names, key, check.as_deref());
        let first = Mapping::parse(&text).unwrap();
        assert_eq!(
            (first.key.as_str(), first.fields["email"].as_str()),
            ("Personal-Nummer", "E-Mail")
        );
        let all = text
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(code)
                    if code.starts_with('[')
                        || code.contains(" = ") && !code.starts_with("field =") =>
                {
                    code
                }
                _ => line,
            })
            .collect::<Vec<_>>()
            .join("\n");
        let all = Mapping::parse(&all).unwrap();
        assert!(all.leavers.is_some() && all.create.is_some() && all.rules.len() == 1);
    }

    #[test]
    fn the_key_has_a_value_of_its_own_in_each_row() {
        for (file, expected, sentence) in [
            ("id,nr\n1,a\n2,b\n", "id", None),
            ("id,nr\n1,a\n1,b\n", "nr", Some("does not look like")),
            (
                "email,nr\na@b.example,\nc@b.example,1\n",
                "email",
                Some("does not look like"),
            ),
            (
                "nr,staff-id\n1,1\n1,\n",
                "staff-id",
                Some("is empty or repeated"),
            ),
        ] {
            let table = spreadsheet::read(file.as_bytes()).unwrap();
            let names = names(&table);
            let (key, check) = key(&table, &names);
            assert_eq!(
                (key, check.is_some()),
                (expected, sentence.is_some()),
                "{file}"
            );
            let says = check.unwrap_or_default();
            assert!(says.contains(sentence.unwrap_or_default()), "{says}");
            assert!(mapping(&names, key, Some(&says)).contains(&says));
        }
    }
}
