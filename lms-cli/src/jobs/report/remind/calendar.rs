//! A calendar file (RFC 5545) with the days of a person.

use jiff::Timestamp;

use super::due::Person;

/// Number of bytes of a line.
const LINE: usize = 75;

/// The file of a person. The names of files are those of the ids, of which other characters are written as numbers.
pub(super) fn file_name(learner: &str) -> String {
    format!("{}.ics", plain(learner))
}

pub(super) fn calendar(person: &Person, now: Timestamp, tenant: &str) -> String {
    let mut text = String::new();
    let mut line = |content: &str| folded(&mut text, content);
    line("BEGIN:VCALENDAR");
    line("VERSION:2.0");
    line("PRODID:-//lms//remind//EN");
    for due in &person.courses {
        line("BEGIN:VEVENT");
        // A reminder for the same day replaces the one before.
        let uid = [&person.learner, &due.course].map(|id| plain(id)).join("-");
        line(&format!("UID:{uid}-{}@{}", due.day, plain(tenant)));
        line(&format!("DTSTAMP:{}", now.strftime("%Y%m%dT%H%M%SZ")));
        line(&format!(
            "DTSTART;VALUE=DATE:{}",
            due.day.strftime("%Y%m%d")
        ));
        line(&format!("SUMMARY:{}", escaped(&due.course_name)));
        line("TRANSP:TRANSPARENT");
        line("END:VEVENT");
    }
    line("END:VCALENDAR");
    text
}

/// Distinct ids stay distinct.
fn plain(id: &str) -> String {
    let plain = id.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() || c == '-' => c.to_string(),
        c => format!("_{:x}_", u32::from(c)),
    });
    plain.collect()
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\");
    let text = text.replace(';', "\\;").replace(',', "\\,");
    let text = text.replace("\r\n", "\\n").replace('\n', "\\n");
    text.replace(char::is_control, " ")
}

/// Adds a line. A long one continues after a space.
fn folded(text: &mut String, content: &str) {
    let mut length = 0;
    for c in content.chars() {
        if length + c.len_utf8() > LINE {
            text.push_str("\r\n ");
            length = 1;
        }
        text.push(c);
        length += c.len_utf8();
    }
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::{super::due::Due, *};

    #[test]
    fn a_calendar_has_a_day_for_each_course_in_lines_of_75_bytes() {
        let name = format!("Fire, safety; {}\r\nBEGIN:VALARM", "ü".repeat(60));
        let person = Person {
            learner: "l/1".into(),
            email: String::new(),
            firstname: String::new(),
            surname: String::new(),
            courses: vec![Due {
                learner: "l/1".into(),
                course: "c1".into(),
                course_name: name,
                state: "overdue".into(),
                day: date(2028, 2, 29),
                days_since: 3,
            }],
        };
        let now = "2028-03-03T10:00:00Z".parse().unwrap();
        let text = calendar(&person, now, "acme.example");
        assert!(text.lines().all(|line| line.len() <= 75), "{text}");
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
        let unfolded = text.replace("\r\n ", "");
        for line in [
            "UID:l_2f_1-c1-2028-02-29@acme_2e_example",
            "DTSTAMP:20280303T100000Z",
            "DTSTART;VALUE=DATE:20280229",
        ] {
            assert!(unfolded.lines().any(|found| found == line), "{text}");
        }
        let summary = format!(
            "SUMMARY:Fire\\, safety\\; {}\\nBEGIN:VALARM",
            "ü".repeat(60)
        );
        assert!(unfolded.lines().any(|found| found == summary), "{text}");
        assert_eq!(file_name("../l1"), "_2e__2e__2f_l1.ics");
    }
}
