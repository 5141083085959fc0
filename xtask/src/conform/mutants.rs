//! `cargo xtask conform --mutants`: would the checkers notice?
//!
//! A check that has never failed has shown nothing. Here the document, and then the sandbox, is changed in one place,
//! and the checkers run on it as they always do; every such mutant must be caught by one of them at least. The mutants
//! of the sandbox are made by a proxy in front of it, and one of them, the control, changes nothing and must pass.

use std::{thread, time::Instant};

use anyhow::bail;
use serde_json::{Value, json};

use super::{
    document::{Document, remove},
    mitmproxy::Proxy,
    peers, prism, schemathesis,
    shop::Shop,
};

/// The mutant that is none.
const CONTROL: &str = "control";

/// A change of the document.
struct Change {
    name: &'static str,
    make: fn(&mut Document),
}

const DOCUMENT: [Change; 13] = [
    Change {
        name: CONTROL,
        make: |_| {},
    },
    Change {
        name: "int64 of limits becomes an integer",
        make: |document| {
            *schema(document, "LearnerList", "limit") =
                json!({ "type": "integer", "format": "int64" });
        },
    },
    Change {
        name: "limit parameter becomes an integer that is at least 1000",
        make: |document| {
            document.0["components"]["parameters"]["Limit"]["schema"] =
                json!({ "type": "integer", "minimum": 1000 });
        },
    },
    Change {
        name: "a learner must have a phone number",
        make: |document| {
            document.0["components"]["schemas"]["Learner"]["required"] = json!(["phone_number"]);
        },
    },
    Change {
        name: "an enrolment can be added without a course",
        make: |document| {
            document.0["components"]["schemas"]["AddEnrolment"]["required"] = json!(["user"]);
        },
    },
    Change {
        name: "adding a course needs a description",
        make: |document| {
            document.0["components"]["schemas"]["AddCourse"]["required"] =
                json!(["name", "description"]);
        },
    },
    Change {
        name: "a path is renamed",
        make: |document| {
            if let Some(paths) = document.0["paths"].as_object_mut()
                && let Some(item) = paths.remove("/tags")
            {
                paths.insert("/labels".to_owned(), item);
            }
        },
    },
    Change {
        name: "a field of an answer changes its type",
        make: |document| *schema(document, "Course", "published") = json!({ "type": "string" }),
    },
    Change {
        name: "rows become an object",
        make: |document| *schema(document, "EnrolmentList", "items") = json!({ "type": "object" }),
    },
    Change {
        name: "a filter takes other values",
        make: |document| {
            if let Some(operation) = document.operation("listLearners")
                && let Some(parameters) = operation["parameters"].as_array_mut()
            {
                for parameter in parameters {
                    if parameter["name"] == json!("order_direction") {
                        parameter["schema"]["enum"] = json!(["up", "down"]);
                    }
                }
            }
        },
    },
    Change {
        name: "a learner is edited with PATCH",
        make: |document| {
            let item = &mut document.0["paths"]["/learners/{id}"];
            item["patch"] = item["put"].clone();
            remove(item, "put");
        },
    },
    Change {
        name: "a deletion answers with 204",
        make: |document| {
            if let Some(operation) = document.operation("deleteCourse") {
                operation["responses"] = json!({ "204": { "description": "Gone." } });
            }
        },
    },
    Change {
        name: "test needs a token",
        make: |document| {
            if let Some(operation) = document.operation("test") {
                remove(operation, "security");
            }
        },
    },
];

/// Changes of the sandbox, made by tests/conform/mutate.py.
const SANDBOX: [&str; 18] = [
    CONTROL,
    "integer-for-text",
    "text-for-flag",
    "nameless-topics",
    "date-without-zone",
    "null-list",
    "object-for-list",
    "no-id",
    "never-more",
    "created",
    "no-content",
    "server-error",
    "html-refusal",
    "ignores-auth",
    "ignores-filters",
    "ignores-cursor",
    "accepts-anything",
    "forgets-deletes",
];

/// A tenant to be checked, and the same tenant past whoever changes its answers.
struct Suspect<'a> {
    address: &'a str,
    direct: &'a str,
}

/// A check that can be pointed at a document and a tenant.
type Catch = fn(&Shop<'_>, &Suspect<'_>) -> anyhow::Result<String>;

/// The quick ones; openapi-generator's Rust client would be built anew for every mutant of the document.
const CATCHERS: [(&str, Catch); 4] = [
    ("schemathesis", |shop, suspect| {
        // The ids are no part of the hunt.
        let ids = shop.programs.ids(shop.workshop, suspect.direct)?;
        schemathesis::attack(shop, suspect.address, &ids)
    }),
    ("prism-proxy", |shop, suspect| {
        prism::between(shop, suspect.address)
    }),
    ("peer-python", |shop, suspect| {
        peers::python_at(shop, suspect.address)
    }),
    ("peer-typescript", |shop, suspect| {
        peers::typescript_at(shop, suspect.address)
    }),
];

fn schema<'a>(document: &'a mut Document, name: &str, property: &str) -> &'a mut Value {
    &mut document.0["components"]["schemas"][name]["properties"][property]
}

/// Hunts the mutants whose name holds `text`, the controls always among them.
pub(crate) fn run(shop: &Shop<'_>, text: &str) -> anyhow::Result<()> {
    let wanted = |name: &str| name == CONTROL || name.contains(text);
    // Before the threads, two of which would begin to install the same.
    shop.workshop.npm()?;
    for environment in ["schemathesis", "peers", "mitmproxy"] {
        shop.workshop.python(environment)?;
    }
    let mut wrong = Vec::new();
    let mut mutants = 0;
    for change in DOCUMENT.iter().filter(|change| wanted(change.name)) {
        mutants += usize::from(change.name != CONTROL);
        let mut document = shop.document.clone();
        (change.make)(&mut document);
        let mutated = Shop { document, ..*shop };
        hunt(&mut wrong, "document", change.name, |catch| {
            let tenant = shop.programs.sandbox(shop.workshop)?;
            let suspect = Suspect {
                address: &tenant.address,
                direct: &tenant.address,
            };
            catch(&mutated, &suspect)
        });
    }
    for mutant in SANDBOX.into_iter().filter(|mutant| wanted(mutant)) {
        mutants += usize::from(mutant != CONTROL);
        hunt(&mut wrong, "sandbox", mutant, |catch| {
            let tenant = shop.programs.sandbox(shop.workshop)?;
            let proxy = Proxy::start(shop, "mutate.py", ("MUTANT", mutant), &tenant.address)?;
            let suspect = Suspect {
                address: &proxy.address,
                direct: &tenant.address,
            };
            catch(shop, &suspect)
        });
    }
    if !wrong.is_empty() {
        bail!("not as it should be:\n  {}", wrong.join("\n  "));
    }
    println!("all {mutants} mutants are caught, and both controls pass");
    Ok(())
}

/// Runs the catchers on a mutant, side by side, and says which caught it.
fn hunt(
    wrong: &mut Vec<String>,
    kind: &str,
    name: &str,
    meet: impl Fn(Catch) -> anyhow::Result<String> + Sync,
) {
    let started = Instant::now();
    let meet = &meet;
    let ends: Vec<_> = thread::scope(|scope| {
        let started: Vec<_> = CATCHERS
            .iter()
            .map(|(catcher, catch)| (*catcher, scope.spawn(move || meet(*catch))))
            .collect();
        started
            .into_iter()
            .map(|(catcher, thread)| (catcher, thread.join()))
            .collect()
    });
    let mut caught = Vec::new();
    for (catcher, end) in ends {
        match end {
            Ok(Ok(_)) => {}
            Ok(Err(error)) if name == CONTROL => {
                wrong.push(format!("{kind}: {catcher} blames the control: {error:#}"));
            }
            Ok(Err(_)) => caught.push(catcher),
            Err(_) => wrong.push(format!("{kind}: {catcher} panicked at {name:?}")),
        }
    }
    if caught.is_empty() && name != CONTROL {
        wrong.push(format!("{kind}: nobody caught {name:?}"));
    }
    println!(
        "{kind:9} {name:58} {:>4.0} s  {}",
        started.elapsed().as_secs_f64(),
        if caught.is_empty() {
            "–".to_owned()
        } else {
            caught.join(", ")
        }
    );
}
