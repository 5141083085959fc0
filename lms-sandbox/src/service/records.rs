//! Records, the values of custom fields (the service description, §4, "Custom fields"). The API reads them only.

use rusqlite::{Connection, params};

use super::fixtures::{NewRecord, seconds};
use super::request::ApiRequest;
use crate::api::id::Kind;
use crate::api::json::Object;
use crate::api::problem::Problem;
use crate::service::lookup::existing;

pub(crate) fn get_active(
    connection: &Connection,
    request: &ApiRequest<'_>,
) -> Result<Vec<u8>, Problem> {
    let learner = existing(connection, Kind::Learner, request.param(0)?)?;
    let field = existing(connection, Kind::UserField, request.param(1)?)?;
    let mut statement = connection.prepare_cached(
        "SELECT r.id, r.document, ifnull(p.user_visible, f.user_visible), ifnull(p.user_editable, f.user_editable),
             ifnull(p.not_applicable, f.not_applicable), r.achieved_on, r.expires_on
         FROM user_fields f LEFT JOIN records r ON r.user_field = f.id AND r.learner = ?1
             LEFT JOIN permissions p ON p.user_field = f.id AND p.learner = ?1
         WHERE f.id = ?2",
    )?;
    let mut rows = statement.query([learner, field])?;
    let row = rows
        .next()?
        .ok_or_else(|| Problem::no_such(Kind::UserField, ""))?;
    super::object(|record| {
        let number: Option<i64> = row.get(0)?;
        record.some_id("id", Kind::Record, number);
        record.id("user", Kind::Learner, learner);
        record.id("user_field", Kind::UserField, field);
        record.raw_fields(row.get_ref(1)?.as_str_or_null()?.unwrap_or_default());
        record.flag("user_visible", row.get(2)?);
        record.flag("user_editable", row.get(3)?);
        record.flag("not_applicable", row.get(4)?);
        record.flag("has_value", number.is_some());
        if number.is_some() {
            validity(record, row.get(5)?, row.get(6)?, request.now);
        }
        Ok(())
    })
}

/// Sets a learner's value for a field, in the place of the one before.
pub(crate) fn set(connection: &Connection, record: &NewRecord, now: i64) -> Result<i64, Problem> {
    let learner = existing(connection, Kind::Learner, &record.learner)?;
    let field = existing(connection, Kind::UserField, &record.user_field)?;
    connection
        .prepare_cached("DELETE FROM records WHERE learner = ?1 AND user_field = ?2")?
        .execute([learner, field])?;
    connection
        .prepare_cached("INSERT INTO records (learner, user_field, achieved_on, expires_on, document) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![learner, field, seconds(record.achieved_on), seconds(record.expires_on), document(record, now)])?;
    Ok(connection.last_insert_rowid())
}

/// Whether the value counts today.
fn validity(record: &mut Object<'_>, achieved_on: Option<i64>, expires_on: Option<i64>, now: i64) {
    let expired = expires_on.is_some_and(|on| on <= now);
    let upcoming = achieved_on.is_some_and(|on| on > now);
    record.some_time("achieved_on", achieved_on);
    record.some_time("expires_on", expires_on);
    record.flag("achievable", achieved_on.is_some());
    record.flag("valid", !expired && !upcoming);
    record.flag("upcoming", upcoming);
    record.flag("expires", expires_on.is_some());
    record.flag("expired", expired);
    record.flag("active", true);
}

/// The record's own fields, without the braces.
fn document(record: &NewRecord, now: i64) -> String {
    let mut out = Vec::new();
    let mut fields = Object::open(&mut out);
    fields.text("value", &record.value);
    fields.some_text("reference", record.reference.as_deref());
    fields.some_text("cost", record.cost.as_deref());
    fields.some_text("notes", record.notes.as_deref());
    fields.some_text("training_provider", record.training_provider.as_deref());
    fields.some_text("payment_date", record.payment_date.as_deref());
    fields.time("created", now);
    fields.time("modified", now);
    fields.some_text("created_by", record.created_by.as_deref());
    fields.some_text("modified_by", record.created_by.as_deref());
    let file = record.attachments.first();
    fields.some_text("filename", file.map(|file| file.filename.as_str()));
    fields.some_text("content_type", file.map(|file| file.content_type.as_str()));
    fields.some_text("blob_key", file.map(|file| file.blob_key.as_str()));
    if let Some(file) = file {
        fields.int64("file_size", file.file_size);
    }
    let attachments = fields.key("attachments");
    attachments.push(b'[');
    for (index, file) in record.attachments.iter().enumerate() {
        if index > 0 {
            attachments.push(b',');
        }
        let mut attachment = Object::open(attachments);
        attachment.text("kind", &file.kind);
        attachment.text("blob_key", &file.blob_key);
        attachment.text("filename", &file.filename);
        attachment.text("content_type", &file.content_type);
        attachment.int64("file_size", file.file_size);
        attachment.close();
    }
    attachments.push(b']');
    fields.close();
    let text = String::from_utf8(out).unwrap_or_default();
    text.strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
        .unwrap_or_default()
        .to_owned()
}
