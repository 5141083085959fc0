//! Rules read back as they were written, and what cannot be read is answered with what to write.

use super::super::plan::{FaultPlan, FaultRule};

/// Each effect at least once, each time at least once.
const RULES: &[&str] = &[
    "all: always: delay 20ms",
    "lists: chance 0.25: delay 20ms..1500ms",
    "all: nth 3: refuse-token",
    "me: every 3: revoke-tokens",
    "getToken: always: early-expiry 5s",
    "GET: first 2: rate-limited absent 0s",
    "GET: after 2: rate-limited date 2s",
    "all: always: rate-limit 5/s burst 10 seconds",
    "POST,PUT: always: status 500 json",
    "listLearners,listEnrolments: every 3: status 503 html",
    "all: always: redirect 307 http://127.0.0.1:9/elsewhere?a=b",
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
    "lists: always: drift +2",
    "lists: always: drift +2 -1",
    "lists: always: repeat-cursor",
    "lists: always: more-without-cursor",
    "lists: always: empty-page",
    "lists: always: max-page 3",
    "viewDuplicateCourse: first 5: stall-duplication",
    "viewDuplicateCourse: always: fail-duplication",
];

fn rules() -> Vec<FaultRule> {
    RULES.iter().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn a_rule_reads_back_as_it_was_written() {
    for (rule, line) in rules().iter().zip(RULES) {
        assert_eq!(rule.to_string(), *line);
    }
    let names: Vec<_> = RULES
        .iter()
        .filter_map(|line| line.rsplit(": ").next()?.split(' ').next())
        .collect();
    for form in FaultRule::EFFECTS {
        assert!(names.contains(&form.split(' ').next().unwrap()), "{form}");
    }
}

#[test]
fn a_plan_survives_json() {
    let plan = FaultPlan {
        seed: 9,
        rules: rules(),
    };
    let json = serde_json::to_string_pretty(&plan).unwrap();
    assert_eq!(FaultPlan::from_json(&json).unwrap(), plan);
    assert_eq!(FaultPlan::from_json("{}").unwrap(), FaultPlan::default());
}

#[test]
fn a_rule_that_cannot_be_read_is_answered_with_what_to_write() {
    for (line, what) in [
        ("nulls", "TARGET: WHEN: EFFECT"),
        ("listLearners: nulls", "TARGET: WHEN: EFFECT"),
        ("listlearners: always: nulls", "such as listLearners"),
        ("PATCH: always: nulls", "GET"),
        (": always: nulls", "all means every request"),
        ("all: sometimes: nulls", "every 3"),
        ("all: chance often: nulls", "chance 0.1"),
        ("all: chance 1.5: nulls", "from 0 to 1"),
        ("all: chance NaN: nulls", "from 0 to 1"),
        ("all: every 0: nulls", "counted from 1"),
        ("all: always: null", "zoneless-timestamps"),
        ("all: always:", "the effect is missing"),
        ("all: always: nulls 3", "write nulls"),
        ("all: always: delay 5", "such as 250ms"),
        ("all: always: delay 5s..1s", "turn them round"),
        ("all: always: status 200", "from 400 to 599"),
        ("all: always: status 503 xml", "json|html|empty"),
        ("all: always: redirect 200 http://a", "such as 307"),
        ("all: always: drop", "before|after|body"),
        ("all: always: rate-limit 0/s burst 1", "1 or more"),
        ("all: always: rate-limit 5 burst 1", "N/s"),
        ("all: always: drift 3", "+N|-N"),
        ("all: always: drift +0", "such as +2"),
        ("all: always: trickle 0 1ms", "1 or more"),
        ("all: always: max-page 0", "1 or more"),
    ] {
        let error = line.parse::<FaultRule>().unwrap_err().to_string();
        assert!(error.contains(what), "{line}: {error}");
        assert!(
            error.contains(line.trim_end_matches(':')),
            "{line}: {error}"
        );
    }
}

#[test]
fn a_plan_file_that_cannot_be_read_is_answered_with_what_is_wrong() {
    for (json, what) in [
        ("nulls", "the fault plan cannot be read"),
        (
            "{\"rules\": [{\"effect\": \"null\"}]}",
            "zoneless-timestamps",
        ),
        ("{\"rules\": [{\"efect\": \"nulls\"}]}", "`effect`"),
        ("{\"rule\": []}", "`rules`"),
        (
            "{\"rules\": [{\"on\": [\"lists\", \"all\"], \"effect\": \"nulls\"}]}",
            "listLearners",
        ),
        (
            "{\"rules\": [{\"when\": {\"every\": 0}, \"effect\": \"nulls\"}]}",
            "counted from 1",
        ),
        (
            "{\"rules\": [{\"effect\": {\"delay\": {\"least\": 5, \"most\": \"5s\"}}}]}",
            "string",
        ),
        (
            "{\"rules\": [{\"effect\": {\"status\": {\"code\": 503, \"body\": \"html\", \"x\": 1}}}]}",
            "`x`",
        ),
    ] {
        let error = FaultPlan::from_json(json).unwrap_err().to_string();
        assert!(error.contains(what), "{json}: {error}");
    }
}
