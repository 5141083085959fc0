//! Effects of every form that the sandbox knows, and rules with them.

use fastrand::Rng;
use lms_sandbox::{Effect, FaultPlan, FaultRule};

/// Values of a setting, by how its form names them.
fn values(effect: &str, setting: &str) -> Vec<String> {
    let values: &[&str] = match (effect, setting) {
        // Milliseconds are seconds for the client.
        ("delay", _) => &["1ms", "4ms", "7ms", "12ms", "30ms"],
        ("trickle", "TIME") => &["1ms", "4ms"],
        ("trickle", _) => &["150"],
        (_, "TIME") => &["3s", "90s"],
        (_, "N/s") => &["2/s"],
        ("status", "CODE") => &[
            "400", "401", "403", "404", "408", "409", "410", "413", "418", "422", "429", "500",
            "502", "503", "504", "507",
        ],
        ("redirect", "CODE") => &["302", "303", "308"],
        (_, "URL") => &["http://127.0.0.1:9/elsewhere"],
        (_, "BYTES" | "ITEMS" | "N") => &["1", "3"],
        (_, "LEFT") => &["0", "3"],
        // Nothing waits for a window that is longer than a minute.
        (_, "SECONDS") => &["0", "99"],
        (_, "+N") => &["+1"],
        (_, "-N") => &["-1"],
        (_, other) => {
            assert!(
                !other.contains(|c: char| c.is_ascii_uppercase()),
                "{effect} has a setting {other} without values here"
            );
            return other.split('|').map(str::to_owned).collect();
        }
    };
    values.iter().map(|value| (*value).to_owned()).collect()
}

/// All effects of this form, such as `status CODE [json|html|empty]`.
fn of_form(form: &str) -> Vec<Effect> {
    let mut words = form.split(' ');
    let name = words.next().unwrap_or_default();
    let mut texts = vec![name.to_owned()];
    for word in words {
        let setting = word.trim_start_matches('[').trim_end_matches(']');
        let mut values = values(name, setting);
        if word.starts_with('[') {
            values.push(String::new());
        }
        let both = |text: &String, value: &String| format!("{text} {value}");
        texts = texts
            .iter()
            .flat_map(|text| values.iter().map(move |value| both(text, value)))
            .collect();
    }
    let valid = |effect: &Effect| {
        // Only the sandbox knows; a shift by nothing, for example, is not valid.
        let rule = format!("all: always: {effect}");
        rule.parse::<FaultRule>().is_ok()
    };
    let effects: Vec<Effect> = texts
        .iter()
        .filter_map(|text| text.parse().ok())
        .filter(valid)
        .collect();
    assert!(!effects.is_empty(), "{form}: {texts:?}");
    effects
}

/// The effects of each form.
pub fn of_all_forms() -> Vec<Vec<Effect>> {
    Effect::FORMS.iter().map(|form| of_form(form)).collect()
}

fn when(rng: &mut Rng, effect: &Effect) -> String {
    match rng.u8(..6) {
        // They apply to a few requests only.
        _ if matches!(effect, Effect::StallDuplication | Effect::FailDuplication) => {
            "first 1".to_owned()
        }
        0 => "always".to_owned(),
        1 => format!("first {}", rng.u64(1..4)),
        2 => format!("nth {}", rng.u64(1..6)),
        3 => format!("every {}", rng.u64(2..4)),
        4 => format!("after {}", rng.u64(1..4)),
        _ => "chance 0.4".to_owned(),
    }
}

/// A plan with these effects.
pub fn plan(rng: &mut Rng, effects: &[Effect]) -> FaultPlan {
    let seed = rng.u64(..);
    let rule = |effect: &Effect| format!("all: {}: {effect}", when(rng, effect)).parse();
    let rules: Result<_, _> = effects.iter().map(rule).collect();
    FaultPlan {
        seed,
        rules: rules.unwrap(),
    }
}
