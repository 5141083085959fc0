//! Records, the values of custom fields. The API only reads them.

use rusqlite::{Connection, params};
use serde_json::{Map, Value};

use super::request::{ApiRequest, OperationResult};
use super::rows::existing;
use crate::api::fields::Fields;
use crate::api::generated::RECORD;
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::api::{json, timestamp};
use crate::store::sql;

pub(crate) fn get_active(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let learner = existing(db, Kind::Learner, request.param(0)?)?;
    let field = existing(db, Kind::UserField, request.param(1)?)?;
    let mut statement = db.prepare_cached(
        "SELECT r.id, r.document, r.achieved_on, r.expires_on,
             ifnull(p.user_visible, f.user_visible) AS user_visible,
             ifnull(p.user_editable, f.user_editable) AS user_editable,
             ifnull(p.not_applicable, f.not_applicable) AS not_applicable
         FROM user_fields f LEFT JOIN records r ON r.user_field = f.id AND r.learner = ?1
             LEFT JOIN permissions p ON p.user_field = f.id AND p.user = ?1
         WHERE f.id = ?2",
    )?;
    let record = statement.query_row([learner, field], |row| {
        let number: Option<i64> = row.get("id")?;
        let mut record = match row.get_ref("document")?.as_str_or_null()? {
            Some(document) => serde_json::from_str(document).unwrap_or_default(),
            None => Map::new(),
        };
        let mut set = |name: &str, value: Value| record.insert(name.into(), value);
        set("user", Kind::Learner.id(learner).into());
        set("user_field", Kind::UserField.id(field).into());
        for name in ["user_visible", "user_editable", "not_applicable"] {
            set(name, row.get::<_, bool>(name)?.into());
        }
        set("has_value", number.is_some().into());
        if let Some(number) = number {
            set("id", Kind::Record.id(number).into());
            let (achieved_on, expires_on) = (row.get("achieved_on")?, row.get("expires_on")?);
            record.extend(validity(achieved_on, expires_on, request.now));
        }
        Ok(record)
    })?;
    let mut body = Vec::with_capacity(512);
    json::write_object(&mut body, &RECORD, record);
    Ok(body)
}

/// The validity of the value at `now`.
fn validity(
    achieved_on: Option<i64>,
    expires_on: Option<i64>,
    now: i64,
) -> impl Iterator<Item = (String, Value)> {
    let expired = expires_on.is_some_and(|on| on <= now);
    let upcoming = achieved_on.is_some_and(|on| on > now);
    let fields = [
        ("achieved_on", achieved_on.map(timestamp::format).into()),
        ("expires_on", expires_on.map(timestamp::format).into()),
        ("achievable", achieved_on.is_some().into()),
        ("valid", (!expired && !upcoming).into()),
        ("upcoming", upcoming.into()),
        ("expires", expires_on.is_some().into()),
        ("expired", expired.into()),
        ("active", true.into()),
    ];
    let present = |(_, value): &(&str, Value)| !value.is_null();
    let fields = fields.into_iter().filter(present);
    fields.map(|(name, value)| (name.to_owned(), value))
}

/// Sets a learner's value for a field; it replaces the previous one.
pub(crate) fn set(db: &Connection, record: &Value, now: i64) -> Result<i64, Problem> {
    let mut fields = Fields::to_add(record, &[&RECORD])?;
    let learner = existing(db, Kind::Learner, fields.required("user"))?;
    let field = existing(db, Kind::UserField, fields.required("user_field"))?;
    let [achieved_on, expires_on] = ["achieved_on", "expires_on"].map(|name| fields.time(name));
    let (achieved_on, expires_on) = (achieved_on?, expires_on?);
    fields.set_default("attachments", Vec::<Value>::new());
    fields.set_default("created", timestamp::format(now));
    fields.set_default("modified", timestamp::format(now));
    fields.retain(|name| !["user", "user_field", "achieved_on", "expires_on"].contains(&name));
    sql::insert(
        db,
        "INSERT OR REPLACE INTO records (learner, user_field, achieved_on, expires_on, document)
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            learner,
            field,
            achieved_on,
            expires_on,
            json::to_string(&fields.into_map())
        ],
    )
}
