//! Records, the values of custom fields. The API only reads them.

use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use super::fixtures::{NewRecord, seconds};
use super::lookup::existing;
use super::request::{ApiRequest, OperationResult};
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
             LEFT JOIN permissions p ON p.user_field = f.id AND p.learner = ?1
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
pub(crate) fn set(db: &Connection, record: &NewRecord, now: i64) -> Result<i64, Problem> {
    let learner = existing(db, Kind::Learner, &record.learner)?;
    let field = existing(db, Kind::UserField, &record.user_field)?;
    let clear = "DELETE FROM records WHERE learner = ?1 AND user_field = ?2";
    sql::run(db, clear, [learner, field])?;
    let (achieved_on, expires_on) = (seconds(record.achieved_on), seconds(record.expires_on));
    sql::insert(
        db,
        "INSERT INTO records (learner, user_field, achieved_on, expires_on, document) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            learner,
            field,
            achieved_on,
            expires_on,
            document(record, now)
        ],
    )
}

/// The fields that a person enters, as JSON.
fn document(record: &NewRecord, now: i64) -> String {
    let file = record.attachments.first();
    let attachments: Vec<_> = record
        .attachments
        .iter()
        .map(|file| {
            json!({
                "kind": file.kind, "blob_key": file.blob_key, "filename": file.filename,
                "content_type": file.content_type, "file_size": file.file_size.to_string(),
            })
        })
        .collect();
    let mut document = json!({
        "value": record.value, "reference": record.reference, "cost": record.cost, "notes": record.notes,
        "training_provider": record.training_provider, "payment_date": record.payment_date,
        "created": timestamp::format(now), "modified": timestamp::format(now),
        "created_by": record.created_by, "modified_by": record.created_by,
        "filename": file.map(|file| &file.filename), "content_type": file.map(|file| &file.content_type),
        "blob_key": file.map(|file| &file.blob_key), "file_size": file.map(|file| file.file_size.to_string()),
        "attachments": attachments,
    });
    if let Some(fields) = document.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    document.to_string()
}
