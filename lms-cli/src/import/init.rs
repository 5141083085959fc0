//! `import init`: a first mapping from the columns of a file.

use std::{fmt::Write as _, path::Path};

use clap::{Arg, ArgMatches, Command, ValueHint};
use lms_plan::column_key;

use super::{Context, Failure, file, given};
use crate::args::text;

/// Fields, and words of the columns that usually have them.
const FIELDS: [(&str, &[&str]); 6] = [
    ("email", &["email", "emailaddress", "mail", "workemail"]),
    (
        "firstname",
        &["firstname", "givenname", "vorname", "forename"],
    ),
    (
        "surname",
        &["surname", "lastname", "nachname", "familyname", "name"],
    ),
    ("username", &["username", "login", "userid"]),
    (
        "phone_number",
        &["phone", "phonenumber", "telephone", "telefon", "mobile"],
    ),
    ("sso_id", &["ssoid", "objectid", "upn"]),
];

/// Words of columns that identify a person forever.
const KEYS: [&str; 9] = [
    "personnelno",
    "personnelnumber",
    "personalnummer",
    "employeeid",
    "employeenumber",
    "employeeno",
    "staffid",
    "hrid",
    "id",
];

pub(super) fn command() -> Command {
    Command::new("init")
        .about("Write a first mapping from the columns of a file")
        .arg(people())
        .arg(
            text("to", "FILE", "The mapping to write")
                .required(true)
                .value_hint(ValueHint::FilePath),
        )
}

/// The file of people.
pub(super) fn people() -> Arg {
    Arg::new("people")
        .value_name("FILE")
        .required(true)
        .value_hint(ValueHint::FilePath)
        .help("The people: CSV, NDJSON or .xlsx")
}

pub(super) fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let (people, to) = (given(matches, "people"), given(matches, "to"));
    if Path::new(to).exists() {
        return Err(
            Failure::usage(format!("{to} exists already")).advice("name another file with --to")
        );
    }
    let (_, table) = file::table(context, people)?;
    let names: Vec<&str> = table
        .columns
        .iter()
        .map(|column| column.name.trim())
        .filter(|name| !name.is_empty())
        .collect();
    super::write_private(Path::new(to), &mapping(&names))?;
    context.note(&format!(
        "wrote {to}; check it, then: lms import plan {people} --map {to} --to plan.json"
    ));
    Ok(())
}

fn mapping(columns: &[&str]) -> String {
    let find = |words: &[&str]| {
        words
            .iter()
            .find_map(|word| columns.iter().find(|column| column_key(column) == *word))
    };
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let key = find(&KEYS)
        .or_else(|| columns.first())
        .map_or("", |column| column);
    let mut text = format!(
        "# Column whose value identifies a person forever, such as a personnel number. Addresses and names can change.\nkey = {}\n\n# Fields that are set for new learners and never changed after that.\n# only_new = [\"username\"]\n\n# Fields that the file decides, although a person has changed them in the tenant.\n# wins = [\"surname\"]\n\n# field = column\n[fields]\n",
        quoted(key)
    );
    let mut used = vec![key];
    for (field, words) in FIELDS {
        match find(words) {
            Some(column) => {
                used.push(column);
                // Writing into a text does not fail.
                let _ = writeln!(text, "{field} = {}", quoted(column));
            }
            None => _ = writeln!(text, "# {field} = \"…\""),
        }
    }
    let other = columns
        .iter()
        .find(|column| !used.contains(column))
        .unwrap_or(&"department");
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

    use super::mapping;

    #[test]
    fn a_first_mapping_is_valid_with_and_without_its_examples() {
        let text = mapping(&[
            "Vorname",
            "Personal-Nummer",
            "E-Mail",
            "Surname",
            "Dept \"x\"",
        ]);
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
}
