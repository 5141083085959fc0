//! The Schema Object: each of its keywords, types and formats.

use crate::Expected::{self, Refused, Value};

/// Schemas, each with a value of it, or with why it is refused and where below the schema.
pub(crate) const SCHEMAS: &[(&str, Expected)] = &[
    // Types
    ("{}", Value(r#"{"any": [1, null]}"#)),
    ("{ type: string }", Value(r#""text""#)),
    ("{ type: integer }", Value("-3")),
    ("{ type: number }", Value("1.5")),
    ("{ type: boolean }", Value("true")),
    ("{ type: object }", Value(r#"{"a": 1, "b": {"c": []}}"#)),
    ("{ type: array, items: {} }", Value(r#"[1, "two"]"#)),
    (
        "{ type: text }",
        Refused("type", "is not a type; use string"),
    ),
    ("{ type: [string] }", Refused("type", "is not a type")),
    ("{ type: 'null' }", Refused("type", "is not a type")),
    ("[1, 2]", Refused("", "expected a mapping")),
    // Formats
    ("{ type: integer, format: int32 }", Value("2147483647")),
    (
        "{ type: integer, format: int64 }",
        Value("9007199254740993"),
    ),
    ("{ type: number, format: float }", Value("1.5")),
    ("{ type: number, format: double }", Value("1e300")),
    ("{ type: string, format: int64 }", Value(r#""7""#)),
    ("{ type: string, format: byte }", Value(r#""not base64""#)),
    ("{ type: string, format: binary }", Value(r#""bytes""#)),
    (
        "{ type: string, format: date-time }",
        Value(r#""2026-11-22T02:00:00Z""#),
    ),
    ("{ type: string, format: date }", Value(r#""30 February""#)),
    ("{ type: string, format: uuid }", Value(r#""not a UUID""#)),
    ("{ type: string, format: password }", Value(r#""secret""#)),
    (
        "{ type: string, format: email }",
        Value(r#""not an address""#),
    ),
    ("{ type: string, format: ipv4 }", Value(r#""localhost""#)),
    ("{ type: string, format: unheard-of }", Value(r#""text""#)),
    // Text
    (
        r#"{ type: string, pattern: "^[a-z]+$" }"#,
        Value(r#""NOT MATCHED""#),
    ),
    ("{ type: string, minLength: 2 }", Value(r#""1""#)),
    ("{ type: string, maxLength: 3 }", Value(r#""longer""#)),
    // Numbers: a response outside of the bounds is read.
    ("{ type: integer, minimum: 1 }", Value("0")),
    ("{ type: integer, maximum: 200 }", Value("201")),
    (
        "{ type: integer, minimum: 1, exclusiveMinimum: true }",
        Value("1"),
    ),
    (
        "{ type: number, maximum: 1, exclusiveMaximum: true }",
        Value("1.5"),
    ),
    ("{ type: number, exclusiveMinimum: true }", Value("1.5")),
    ("{ minimum: 1, exclusiveMinimum: true }", Value("0")),
    ("{ type: integer, multipleOf: 5 }", Value("7")),
    // Arrays
    (
        r##"{ type: array, items: { $ref: "#/components/schemas/Inner" } }"##,
        Value(r#"[{"id": "i1"}]"#),
    ),
    (
        "{ type: array, items: { type: array, items: { type: number } } }",
        Value("[[1.5]]"),
    ),
    (
        "{ type: array, items: { type: object, properties: { a: { type: string } } } }",
        Value(r#"[{"a": "b"}]"#),
    ),
    (
        "{ type: array, items: { type: string }, minItems: 2, maxItems: 2 }",
        Value(r#"["one"]"#),
    ),
    (
        "{ type: array, items: { type: string }, maxItems: 0 }",
        Value(r#"["one"]"#),
    ),
    (
        "{ type: array, items: { type: string }, uniqueItems: true }",
        Value(r#"["one", "one"]"#),
    ),
    (
        "{ type: array }",
        Refused("items", "the array has no item type; add `items`"),
    ),
    (
        "{ type: array, items: [{ type: string }] }",
        Refused("items", "expected a mapping"),
    ),
    // Objects
    (
        "{ type: object, properties: { a: { type: string } } }",
        Value(r#"{"a": "b"}"#),
    ),
    (
        "{ properties: { a: { type: string } } }",
        Value(r#"{"a": "b"}"#),
    ),
    (
        "{ type: object, required: [a], properties: { a: { type: string } } }",
        Value(r#"{"a": "b"}"#),
    ),
    (
        "{ type: object, required: [b], properties: { a: { type: string } } }",
        Refused(
            "required[0]",
            "\"b\" is not a property of this schema; add it",
        ),
    ),
    (
        "{ type: object, additionalProperties: true }",
        Value(r#"{"a": "b"}"#),
    ),
    (
        "{ type: object, additionalProperties: { type: integer } }",
        Value(r#"{"a": 1}"#),
    ),
    (
        "{ type: object, properties: { a: { type: string } }, additionalProperties: { type: integer } }",
        Value(r#"{"a": "b", "c": 1}"#),
    ),
    (
        "{ type: object, properties: { a: { type: string } }, additionalProperties: false }",
        Value(r#"{"a": "b"}"#),
    ),
    (
        "{ type: object, additionalProperties: { type: integer }, minProperties: 2, maxProperties: 3 }",
        Value(r#"{"a": 1}"#),
    ),
    (
        r#"{ type: object, properties: { type: { type: string }, a-b: { type: integer }, pattern: { type: string }, "3d": { type: boolean }, $x: { type: string } } }"#,
        Value(r#"{"type": "t", "a-b": 1, "pattern": "p", "3d": true, "$x": "y"}"#),
    ),
    (
        "{ type: object, properties: { self: { type: string }, crate: { type: string }, async: { type: string }, format: { type: string }, enum: { type: string } } }",
        Value(r#"{"self": "s", "crate": "c", "async": "a", "format": "f", "enum": "e"}"#),
    ),
    (
        "{ type: object, properties: { name: { type: string }, Name: { type: string } } }",
        Refused("properties.Name", "field `name`"),
    ),
    (
        "{ type: object, properties: { size: { type: integer } }, x-identified-by: [size] }",
        Refused("x-identified-by[0]", "`type: string`"),
    ),
    // Enums
    (
        "{ type: string, enum: [one, two words, 3rd, '*', '-1', '+1', Self] }",
        Value(r#""two words""#),
    ),
    ("{ type: integer, enum: [1, 2] }", Value("3")),
    ("{ type: number, enum: [0.5, 1] }", Value("0.5")),
    ("{ type: boolean, enum: [true] }", Value("false")),
    (
        "{ type: string, enum: [one, two], nullable: true }",
        Value(r#""one""#),
    ),
    (
        "{ type: string, enum: [] }",
        Refused("enum", "no value is allowed"),
    ),
    (
        "{ type: string, enum: [1] }",
        Refused("enum[0]", "in quotes"),
    ),
    (
        "{ type: string, enum: [''] }",
        Refused("enum[0]", "leave out"),
    ),
    (
        "{ type: string, enum: [a, null] }",
        Refused("enum[1]", "nullable: true"),
    ),
    (
        "{ type: string, enum: [a-b, a_b] }",
        Refused("enum[1]", "variant `AB`"),
    ),
    ("{ enum: [a, b] }", Value(r#""b""#)),
    ("{ enum: [1, a] }", Value("2")),
    ("{ type: object, enum: [{ a: 1 }] }", Value(r#"{"b": 1}"#)),
    // Composition
    (
        r##"{ allOf: [{ $ref: "#/components/schemas/Inner" }] }"##,
        Value(r#"{"id": "i1"}"#),
    ),
    (
        r##"{ allOf: [{ $ref: "#/components/schemas/Inner" }, { type: object, properties: { more: { type: boolean } } }] }"##,
        Value(r#"{"id": "i1", "more": true}"#),
    ),
    (
        "{ allOf: [{ type: string }, { type: integer }] }",
        Refused("components.schemas.C0", "no value"),
    ),
    (
        r##"{ oneOf: [{ $ref: "#/components/schemas/Inner" }, { type: string }] }"##,
        Value(r#""text""#),
    ),
    (
        "{ oneOf: [{ type: string, enum: [a] }, { type: string, enum: [b] }] }",
        Value(r#""b""#),
    ),
    (
        "{ oneOf: [{ type: object, required: [a], properties: { a: { type: string } } }, { type: object, required: [b], properties: { b: { type: string } } }] }",
        Value(r#"{"b": "c"}"#),
    ),
    (
        "{ anyOf: [{ type: integer }, { type: string }] }",
        Value("5"),
    ),
    (
        "{ anyOf: [{ type: object, properties: { a: { type: string } } }, { type: object, properties: { b: { type: string } } }] }",
        Value(r#"{"a": "b"}"#),
    ),
    (
        "{ oneOf: [{ type: text }] }",
        Refused("oneOf[0].type", "not a type"),
    ),
    ("{ oneOf: [] }", Refused("oneOf", "no alternative")),
    (
        "{ not: { type: string } }",
        Refused("not", "what is allowed"),
    ),
    (
        r##"{ oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }], discriminator: { propertyName: kind, mapping: { cat: "#/components/schemas/Cat" } } }"##,
        Value(r#"{"kind": "dog", "barks": true}"#),
    ),
    (
        r##"{ $ref: "#/components/schemas/Inner" }"##,
        Value(r#"{"id": "i1"}"#),
    ),
    (
        r##"{ $ref: "#/components/schemas/Missing" }"##,
        Refused("$ref", "is not in this document"),
    ),
    (
        r##"{ $ref: "other.yaml#/Thing" }"##,
        Refused("$ref", "is not in this document"),
    ),
    (
        r##"{ type: object, properties: { branches: { type: array, items: { $ref: "#/components/schemas/Tree" } } } }"##,
        Value(r#"{"branches": [{"branches": [{}]}]}"#),
    ),
    // Annotations
    ("{ type: string, nullable: true }", Value(r#""text""#)),
    (
        r##"{ nullable: true, allOf: [{ $ref: "#/components/schemas/Inner" }] }"##,
        Value(r#"{"id": "i1"}"#),
    ),
    (
        "{ type: object, nullable: true, properties: { a: { type: string } } }",
        Value(r#"{"a": "b"}"#),
    ),
    (
        "{ type: string, title: A title, description: A text. }",
        Value(r#""text""#),
    ),
    (
        "{ type: string, title: A title, enum: [a] }",
        Value(r#""a""#),
    ),
    ("{ type: integer, default: 5 }", Value("6")),
    (
        "{ type: string, default: a, enum: [a, b] }",
        Value(r#""b""#),
    ),
    (
        "{ type: array, items: { type: string }, default: [] }",
        Value(r#"["a"]"#),
    ),
    (
        "{ type: integer, default: five }",
        Refused("components.schemas.C0", "does not conform"),
    ),
    ("{ type: string, deprecated: true }", Value(r#""text""#)),
    ("{ type: string, example: [not, text] }", Value(r#""text""#)),
    (
        "{ type: string, externalDocs: { url: https://docs.example } }",
        Value(r#""text""#),
    ),
    (
        "{ type: string, xml: { name: x, namespace: https://n.example, prefix: p, attribute: true, wrapped: false } }",
        Value(r#""text""#),
    ),
    (
        "{ type: string, x-extension: { type: text } }",
        Value(r#""text""#),
    ),
    // A value that only one direction has may be missing in the other.
    (
        "{ type: object, required: [a, b, c], properties: { a: { type: string }, b: { type: string, readOnly: true }, c: { type: string, writeOnly: true } } }",
        Value(r#"{"a": "b"}"#),
    ),
];
