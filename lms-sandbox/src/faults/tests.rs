//! The notation: rules are parsed as they are formatted, and errors name a valid form.

use super::{Effect, FaultPlan, FaultRule};

/// Each effect and each condition at least once.
const RULES: &[&str] = &[
    "all: always: delay 20ms",
    "lists: chance 0.25: delay 20ms..1s500ms",
    "all: nth 3: refuse-token",
    "me: every 3: revoke-tokens",
    "getToken: always: early-expiry 5s",
    "GET: first 2: rate-limited absent",
    "GET: after 2: rate-limited date 2s",
    "all: always: rate-limit 5/s burst 10",
    "all: always: rate-limit 5/s burst 10 seconds",
    "all: always: announce-limit 3 60",
    "POST,PUT: always: status 500",
    "listLearners,listEnrolments: every 3: status 503 html",
    "all: always: redirect http://127.0.0.1:9/elsewhere?a=b",
    "all: always: redirect 308 http://127.0.0.1:9/elsewhere?a=b",
    "DELETE: always: drop before",
    "addCourse: nth 1: drop after",
    "lists: always: drop body",
    "all: always: trickle 16 10ms",
    "all: always: bad-json cut",
    "all: always: bad-json garbage",
    "all: always: long-length 10",
    "all: always: nulls",
    "all: always: extra-fields",
    "all: always: numbers",
    "all: always: zoneless-timestamps",
    "all: always: expires-in-string",
    "lists: always: shift-page +2",
    "lists: always: shift-page -1",
    "lists: always: shift-page +2 -1",
    "lists: always: repeat-cursor",
    "lists: always: more-without-cursor",
    "lists: always: empty-page",
    "lists: always: max-page 3",
    "viewDuplicateCourse: first 5: stall-duplication",
    "viewDuplicateCourse: always: fail-duplication",
];

fn name(effect: &str) -> &str {
    effect.split(' ').next().unwrap()
}

#[test]
fn a_rule_is_parsed_as_it_was_formatted() {
    let mut names = Vec::new();
    for line in RULES {
        let rule: FaultRule = line.parse().unwrap();
        assert_eq!(rule.to_string(), *line);
        names.push(name(line.rsplit(": ").next().unwrap()));
    }
    for form in Effect::FORMS {
        assert!(names.contains(&name(form)), "{form}");
    }
    assert_eq!(FaultPlan::unusual().rules.len(), 8);
}

#[test]
fn default_settings_can_be_written_out() {
    for (long, short) in [
        (
            "GET: first 2: rate-limited absent 0s",
            "GET: first 2: rate-limited absent",
        ),
        (
            "all: always: rate-limit 5/s burst 1 absent",
            "all: always: rate-limit 5/s burst 1",
        ),
        ("all:always:status  500   json", "all: always: status 500"),
        (
            "all: always: redirect 307 http://a",
            "all: always: redirect http://a",
        ),
        ("all: always: delay 5s..5s", "all: always: delay 5s"),
    ] {
        assert_eq!(long.parse::<FaultRule>().unwrap().to_string(), short);
    }
}

#[test]
fn a_plan_survives_json() {
    let plan = FaultPlan {
        seed: 9,
        rules: RULES.iter().map(|line| line.parse().unwrap()).collect(),
    };
    let json = serde_json::to_string_pretty(&plan).unwrap();
    assert_eq!(FaultPlan::from_json(&json).unwrap(), plan);
    assert_eq!(FaultPlan::from_json("{}").unwrap(), FaultPlan::default());
}

#[test]
fn an_error_names_the_rule_and_says_what_to_write() {
    for (line, expected) in [
        ("nulls", "TARGET: WHEN: EFFECT"),
        ("listLearners: nulls", "TARGET: WHEN: EFFECT"),
        ("listlearners: always: nulls", "such as listLearners"),
        ("PATCH: always: nulls", "GET"),
        ("all,GET: always: nulls", "\"all\""),
        (": always: nulls", "lists, or all"),
        ("all: sometimes: nulls", "every 3"),
        ("all: always 3: nulls", "every 3"),
        ("all: chance often: nulls", "chance 0.1"),
        ("all: chance 1.5: nulls", "from 0 to 1"),
        ("all: chance NaN: nulls", "from 0 to 1"),
        ("all: every 0: nulls", "counted from 1"),
        ("all: always: null", "zoneless-timestamps"),
        ("all: always:", "the effect is missing"),
        ("all: always: nulls 3", "write nulls"),
        ("all: always: delay 5", "such as 250ms"),
        ("all: always: delay 5s..1s", "swap them"),
        ("all: always: status 200", "from 400 to 599"),
        ("all: always: status 503 xml", "json|html|empty"),
        ("all: always: redirect 200 http://a", "such as 307"),
        ("all: always: drop", "before|after|body"),
        ("all: always: rate-limit 0/s burst 1", "1 or more"),
        ("all: always: rate-limit 5 burst 1", "N/s"),
        ("all: always: shift-page 3", "[+N] [-N]"),
        ("all: always: shift-page +0", "such as +2"),
        ("all: always: trickle 0 1ms", "1 or more"),
        ("all: always: max-page 0", "1 or more"),
        ("getToken: always: refuse-token", "use all"),
        ("me,DELETE: always: early-expiry 5s", "use all"),
        ("POST: always: empty-page", "use all"),
    ] {
        let error = line.parse::<FaultRule>().unwrap_err().to_string();
        assert!(error.contains(expected), "{line}: {error}");
        assert!(
            error.contains(&format!("{line:?}")) || error.contains("fault \""),
            "{error}"
        );
    }
    for (json, expected) in [
        ("nulls", "could not parse the fault plan"),
        (r#"{"rules": ["all: always: null"]}"#, "zoneless-timestamps"),
        (r#"{"rules": [{"effect": "nulls"}]}"#, "expected a string"),
        (r#"{"rule": []}"#, "`rules`"),
        (r#"{"rules": ["all: every 0: nulls"]}"#, "counted from 1"),
    ] {
        let error = FaultPlan::from_json(json).unwrap_err().to_string();
        assert!(error.contains(expected), "{json}: {error}");
    }
}
