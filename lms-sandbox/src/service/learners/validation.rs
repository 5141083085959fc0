//! Checks of learners: a plausible email address, a password that is not empty, and a unique email and username.

use rusqlite::Connection;

use crate::api::fields::Fields;
use crate::api::id::Kind;
use crate::api::problem::{Problem, quote};
use crate::store::sql;

/// Rejects text that cannot be an email address.
pub(crate) fn check_email(email: &str) -> Result<(), Problem> {
    let well_formed = email.len() <= 254
        && !email.chars().any(|c| c.is_whitespace() || c.is_control())
        && email.split_once('@').is_some_and(|(local, domain)| {
            !local.is_empty()
                && !domain.contains('@')
                && domain.split('.').all(|label| !label.is_empty())
        });
    if well_formed {
        return Ok(());
    }
    let message = format!(
        "email is {}; send an address such as jo@example.com",
        quote(email)
    );
    Err(Problem::invalid("email", message))
}

/// Rejects an empty password.
pub(crate) fn check_password(body: &Fields) -> Result<(), Problem> {
    if body.text("password") == Some("") {
        let message = "password is empty; send one, or omit the field";
        return Err(Problem::invalid("password", message));
    }
    Ok(())
}

/// Rejects an email or a username of a learner other than `except`.
pub(crate) fn check_unique(
    db: &Connection,
    except: Option<i64>,
    email: &str,
    username: Option<&str>,
) -> Result<(), Problem> {
    let other = |sql: &str, value: &str| -> Result<Option<i64>, Problem> {
        let found = sql::first(db, sql, [value])?;
        Ok(found
            .map(|(number,)| number)
            .filter(|number| Some(*number) != except))
    };
    let taken = |field: &str, value: &str, number: i64| {
        let (learner, value) = (Kind::Learner.id(number), quote(value));
        let message = format!("{field} {value} belongs to learner {learner}; use another");
        Problem::conflict(field, message)
    };
    if let Some(number) = other("SELECT id FROM learners WHERE email = ?1", email)? {
        return Err(taken("email", email, number));
    }
    if let Some(username) = username
        && let Some(number) = other("SELECT id FROM learners WHERE username = ?1", username)?
    {
        return Err(taken("username", username, number));
    }
    Ok(())
}
