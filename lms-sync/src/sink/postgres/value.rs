//! Values as PostgreSQL sends and receives them.

use std::error::Error as StdError;

use bytes::BytesMut;
use jiff::Timestamp;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type};

use crate::collection::{ColumnKind, Value};

type BoxError = Box<dyn StdError + Sync + Send>;

/// 2000-01-01T00:00:00Z, from which PostgreSQL counts, in microseconds since 1970.
const EPOCH: i64 = 946_684_800_000_000;
/// 4713-11-24 BC, the first day of PostgreSQL, in microseconds since 2000.
const FIRST: i64 = -211_813_488_000_000_000;

/// A parameter, or a value of a copied row.
#[derive(Debug)]
pub(super) struct Bound<'a>(pub(super) &'a Value);

/// A value of a row that was read.
pub(super) struct Received(pub(super) Value);

/// The type of a column.
pub(super) fn column_type(kind: ColumnKind) -> Type {
    match kind {
        ColumnKind::Text | ColumnKind::Timestamp => Type::TEXT,
        ColumnKind::Integer => Type::INT8,
        ColumnKind::Float => Type::FLOAT8,
        ColumnKind::Boolean => Type::BOOL,
        ColumnKind::Utc => Type::TIMESTAMPTZ,
        ColumnKind::Json => Type::JSON,
    }
}

impl ToSql for Bound<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, BoxError> {
        match self.0 {
            Value::Null => Ok(IsNull::Yes),
            Value::Text(text) if *ty == Type::TIMESTAMPTZ => {
                let instant: Timestamp = text.parse()?;
                timestamp(instant.as_microsecond(), out)
            }
            Value::Text(text) | Value::Json(text) => text.to_sql(ty, out),
            Value::Integer(integer) => integer.to_sql(ty, out),
            Value::Float(float) => float.to_sql(ty, out),
            Value::Boolean(boolean) => boolean.to_sql(ty, out),
            Value::Utc(micros) => timestamp(*micros, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}

/// Null for a time before PostgreSQL's first day.
fn timestamp(micros: i64, out: &mut BytesMut) -> Result<IsNull, BoxError> {
    match micros.saturating_sub(EPOCH) {
        micros if micros < FIRST => Ok(IsNull::Yes),
        micros => micros.to_sql(&Type::INT8, out),
    }
}

impl<'a> FromSql<'a> for Received {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, BoxError> {
        Ok(Self(match *ty {
            Type::INT8 => Value::Integer(i64::from_sql(ty, raw)?),
            Type::BOOL => Value::Boolean(bool::from_sql(ty, raw)?),
            Type::FLOAT8 => Value::Float(f64::from_sql(ty, raw)?),
            Type::TIMESTAMPTZ => Value::Utc(i64::from_sql(&Type::INT8, raw)?.saturating_add(EPOCH)),
            Type::JSON => Value::Json(std::str::from_utf8(raw)?.to_owned()),
            Type::TEXT | Type::NAME | Type::VARCHAR => {
                Value::Text(std::str::from_utf8(raw)?.to_owned())
            }
            _ => return Err(format!("the column has the unexpected type {ty}").into()),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, BoxError> {
        Ok(Self(Value::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
