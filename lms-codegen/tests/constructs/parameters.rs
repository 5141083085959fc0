//! The Parameter Object.

use crate::Expected::{self, Refused, Request};

/// Parameters of `GET /c0/{id}` beside `id`, each with a call that sets it and the request that it leads to.
pub(crate) const PARAMETERS: &[(&str, Expected)] = &[
    (
        "{ name: q, in: query, schema: { type: string } }",
        Request(".q(\"a b&c\")", "GET /c0/i1?q=a+b%26c"),
    ),
    (
        "{ name: q, in: query, required: true, schema: { type: integer } }",
        Request(".q(7)", "GET /c0/i1?q=7"),
    ),
    (
        "{ name: q, in: query, schema: { type: boolean } }",
        Request(".q(true)", "GET /c0/i1?q=true"),
    ),
    (
        "{ name: q, in: query, schema: { type: number } }",
        Request(".q(0.5)", "GET /c0/i1?q=0.5"),
    ),
    (
        "{ name: q, in: query, schema: { type: string, format: date } }",
        Request(".q(\"2026-11-22\")", "GET /c0/i1?q=2026-11-22"),
    ),
    (
        "{ name: q, in: query, schema: { type: string, enum: [a, b] } }",
        Request(".q(types::C0ReadQ::B)", "GET /c0/i1?q=b"),
    ),
    (
        "{ name: q, in: query, schema: { type: string, nullable: true } }",
        Request(".q(\"a\")", "GET /c0/i1?q=a"),
    ),
    (
        "{ name: q, in: query, schema: { type: integer, default: 5, minimum: 1 } }",
        Request("", "GET /c0/i1"),
    ),
    (
        "{ name: q, in: query, schema: { type: array, items: { type: integer } } }",
        Request(".q(vec![1, 2])", "GET /c0/i1?q=1&q=2"),
    ),
    (
        "{ name: q, in: query, style: form, explode: true, schema: { type: array, items: { type: string } } }",
        Request(".q(vec![\"a\".to_owned()])", "GET /c0/i1?q=a"),
    ),
    (
        "{ name: 'filter[name]', in: query, schema: { type: string } }",
        Request(".filter_name(\"a\")", "GET /c0/i1?filter%5Bname%5D=a"),
    ),
    (
        "{ name: type, in: query, schema: { type: string } }",
        Request(".type_(\"a\")", "GET /c0/i1?type=a"),
    ),
    (
        "{ name: X-Trace, in: header, schema: { type: string } }",
        Request(".x_trace(\"t\")", "GET /c0/i1 x-trace: t"),
    ),
    (
        "{ name: X-Trace, in: header, required: true, style: simple, schema: { type: integer } }",
        Request(".x_trace(7)", "GET /c0/i1 x-trace: 7"),
    ),
    (
        "{ name: q, in: query, deprecated: true, description: A filter., allowEmptyValue: true, example: a, schema: { type: string } }",
        Request(".q(\"\")", "GET /c0/i1?q="),
    ),
    (
        "{ name: q, in: query, examples: { one: { summary: One, value: a } }, schema: { type: string } }",
        Request(".q(\"a\")", "GET /c0/i1?q=a"),
    ),
    (
        "{ name: client, in: query, schema: { type: string } }",
        Refused("name", "leave this parameter out"),
    ),
    (
        "{ name: request, in: query, schema: { type: string } }",
        Refused("name", "leave this parameter out"),
    ),
    (
        "{ name: result, in: query, schema: { type: string } }",
        Refused("name", "leave this parameter out"),
    ),
    (
        "{ name: url, in: query, schema: { type: string } }",
        Refused("name", "leave this parameter out"),
    ),
    (
        "{ name: value, in: query, schema: { type: string } }",
        Request(".value(\"a\")", "GET /c0/i1?value=a"),
    ),
    (
        "{ name: self, in: query, schema: { type: string } }",
        Request(".self_(\"a\")", "GET /c0/i1?self=a"),
    ),
    (
        "{ name: method, in: query, schema: { type: string } }",
        Request(".method(\"a\")", "GET /c0/i1?method=a"),
    ),
    (
        "{ name: Content-Length-2, in: query, schema: { type: string } }",
        Request(".content_length_2(\"a\")", "GET /c0/i1?Content-Length-2=a"),
    ),
    (
        "{ name: body, in: query, schema: { type: string } }",
        Request(".body(\"a\")", "GET /c0/i1?body=a"),
    ),
    (
        "{ name: ID, in: query, schema: { type: string } }",
        Refused("paths./c0/{id}.parameters[0]", "the setter `id`"),
    ),
    (
        r##"{ $ref: "#/components/parameters/Limit" }"##,
        Request(".limit(3)", "GET /c0/i1?limit=3"),
    ),
    (
        r##"{ $ref: "#/components/parameters/None" }"##,
        Refused("$ref", "is not in this document"),
    ),
    (
        "{ name: q, in: query, style: form, explode: false, schema: { type: array, items: { type: string } } }",
        Refused("explode", "explode: true"),
    ),
    (
        "{ name: q, in: query, style: spaceDelimited, schema: { type: array, items: { type: string } } }",
        Refused("style", "`form`"),
    ),
    (
        "{ name: q, in: query, style: pipeDelimited, schema: { type: array, items: { type: string } } }",
        Refused("style", "`form`"),
    ),
    (
        "{ name: q, in: query, style: deepObject, schema: { type: object } }",
        Refused("schema", "only text"),
    ),
    (
        "{ name: q, in: query, allowReserved: true, schema: { type: string } }",
        Request(".q(\"a/b\")", "GET /c0/i1?q=a%2Fb"),
    ),
    (
        "{ name: q, in: query, content: { application/json: { schema: { type: object } } } }",
        Refused("schema", "has no type; add a schema"),
    ),
    (
        "{ name: q, in: query }",
        Refused("schema", "`q` has no type; add a schema"),
    ),
    (
        "{ name: q, in: query, schema: { type: object } }",
        Refused("schema", "only text"),
    ),
    (
        "{ name: q, in: query, schema: { oneOf: [{ type: string }, { type: integer }] } }",
        Refused("schema", "only text"),
    ),
    (
        "{ name: X-Ids, in: header, schema: { type: array, items: { type: string } } }",
        Refused("schema", "in the query"),
    ),
    (
        "{ name: session, in: cookie, schema: { type: string } }",
        Refused("in", "`query`"),
    ),
    (
        "{ name: q, schema: { type: string } }",
        Refused("in", "`query`"),
    ),
    (
        "{ in: query, schema: { type: string } }",
        Refused("name", "has no name"),
    ),
    (
        "{ name: other, in: path, required: true, schema: { type: string } }",
        Refused("name", "is not in the path"),
    ),
];
