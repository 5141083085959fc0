//! JSON without limits: every value that a text can have, compared exactly.

use std::{iter::Peekable, str::Chars};

/// A value. Two are equal if they say the same, however they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    Null,
    Boolean(bool),
    Number(Decimal),
    /// UTF-16 code units: a text may have half of a surrogate pair.
    Text(Vec<u16>),
    Array(Vec<Self>),
    Object(Vec<(Vec<u16>, Self)>),
}

/// A number as sign, digits and exponent, without zeros at either end of the digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Reads a number as JSON writes it.
    pub fn read(text: &str) -> Option<Self> {
        let (negative, text) = text
            .strip_prefix('-')
            .map_or((false, text), |rest| (true, rest));
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i64 = exponent.parse().ok()?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let exponent = exponent - i64::try_from(fraction.len()).ok()?;
        let significant = digits.trim_end_matches('0');
        let zeros = i64::try_from(digits.len() - significant.len()).ok()?;
        let digits = significant.trim_start_matches('0').to_owned();
        let exponent = if digits.is_empty() {
            0
        } else {
            exponent + zeros
        };
        Some(Self {
            negative,
            digits,
            exponent,
        })
    }
}

impl Json {
    /// Reads a JSON text.
    pub fn read(text: &str) -> Self {
        let mut rest = text.chars().peekable();
        let value = Self::value(&mut rest);
        assert_eq!(rest.next(), None, "{text}");
        value
    }

    /// A field of an object: the last one, if there are several.
    pub fn field(&self, name: &str) -> Option<&Self> {
        let Self::Object(fields) = self else {
            return None;
        };
        let name: Vec<u16> = name.encode_utf16().collect();
        fields
            .iter()
            .rfind(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Replaces a field of an object.
    pub fn set(&mut self, name: &str, value: Self) {
        let Self::Object(fields) = self else {
            panic!("{self:?} is no object");
        };
        let name: Vec<u16> = name.encode_utf16().collect();
        let field = fields.iter_mut().find(|(known, _)| *known == name);
        field.unwrap().1 = value;
    }

    /// Depth of nested arrays and objects.
    pub fn depth(&self) -> usize {
        match self {
            Self::Array(items) => 1 + items.iter().map(Self::depth).max().unwrap_or_default(),
            Self::Object(fields) => {
                let depths = fields.iter().map(|(_, value)| value.depth());
                1 + depths.max().unwrap_or_default()
            }
            _ => 0,
        }
    }

    /// The text, if it is one and can be a Rust string.
    pub fn text(&self) -> Option<String> {
        let Self::Text(units) = self else { return None };
        String::from_utf16(units).ok()
    }

    fn value(rest: &mut Peekable<Chars<'_>>) -> Self {
        match rest.peek().unwrap() {
            '"' => Self::Text(Self::units(rest)),
            '[' => {
                let mut items = Vec::new();
                Self::items(rest, ']', |rest| items.push(Self::value(rest)));
                Self::Array(items)
            }
            '{' => {
                let mut fields = Vec::new();
                Self::items(rest, '}', |rest| {
                    let name = Self::units(rest);
                    assert_eq!(rest.next(), Some(':'));
                    fields.push((name, Self::value(rest)));
                });
                Self::Object(fields)
            }
            _ => {
                let mut word = String::new();
                while let Some(next) = rest.next_if(|next| !",]}".contains(*next)) {
                    word.push(next);
                }
                match word.as_str() {
                    "null" => Self::Null,
                    "true" => Self::Boolean(true),
                    "false" => Self::Boolean(false),
                    number => Self::Number(Decimal::read(number).unwrap()),
                }
            }
        }
    }

    fn items(
        rest: &mut Peekable<Chars<'_>>,
        end: char,
        mut item: impl FnMut(&mut Peekable<Chars<'_>>),
    ) {
        rest.next();
        if rest.next_if_eq(&end).is_some() {
            return;
        }
        loop {
            item(rest);
            let next = rest.next().unwrap();
            if next == end {
                return;
            }
            assert_eq!(next, ',');
        }
    }

    fn units(rest: &mut Peekable<Chars<'_>>) -> Vec<u16> {
        assert_eq!(rest.next(), Some('"'));
        let mut units = Vec::new();
        loop {
            let unit = match rest.next().unwrap() {
                '"' => return units,
                '\\' => match rest.next().unwrap() {
                    'u' => {
                        let digits: String = rest.by_ref().take(4).collect();
                        u16::from_str_radix(&digits, 16).unwrap()
                    }
                    'b' => 8,
                    'f' => 12,
                    'n' => 10,
                    'r' => 13,
                    't' => 9,
                    other => u16::try_from(u32::from(other)).unwrap(),
                },
                other => {
                    units.extend(other.encode_utf16(&mut [0; 2]).iter());
                    continue;
                }
            };
            units.push(unit);
        }
    }
}
