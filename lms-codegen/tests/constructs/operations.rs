//! Path Items, Operations, Request Bodies, Responses, and what they hold.

use crate::Expected::{self, Refused, Request, Same};

/// What is added to the path item `/c0/{id}`, which has the operation `GET` with the id `c0Read`.
pub(crate) const OPERATIONS: &[(&str, Expected)] = &[
    // Methods
    (
        "put: { operationId: c0Write, responses: { '204': { description: OK } } }",
        Request("client.c0_write().id(\"i1\")", "PUT /c0/i1"),
    ),
    (
        "post: { operationId: c0Write, responses: { '204': { description: OK } } }",
        Request("client.c0_write().id(\"i1\")", "POST /c0/i1"),
    ),
    (
        "delete: { operationId: c0Write, responses: { '204': { description: OK } } }",
        Request("client.c0_write().id(\"i1\")", "DELETE /c0/i1"),
    ),
    (
        "patch: { operationId: c0Write, responses: { '204': { description: OK } } }",
        Request("client.c0_write().id(\"i1\")", "PATCH /c0/i1"),
    ),
    (
        "head: { operationId: c0Write, responses: { '200': { description: OK } } }",
        Request("client.c0_write().id(\"i1\")", "HEAD /c0/i1"),
    ),
    (
        "options: { operationId: c0Write, responses: { '200': { description: OK } } }",
        Refused("options", "leave it out"),
    ),
    (
        "trace: { operationId: c0Write, responses: { '200': { description: OK } } }",
        Refused("trace", "leave it out"),
    ),
    // Path Item
    ("summary: A path. ", Same),
    ("description: Two\n\n    lines. ", Same),
    ("x-extension: [1]", Same),
    (
        "servers: [{ url: https://other.example }]",
        Refused("servers", "one base URL"),
    ),
    (
        "$ref: '#/components/schemas/Inner'",
        Refused("$ref", "write the operations here"),
    ),
    (
        "parameters: [{ name: id, in: path, required: true, schema: { type: string } }, { name: q, in: query, schema: { type: string } }]",
        Request("client.c0_read().id(\"i1\").q(\"a\")", "GET /c0/i1?q=a"),
    ),
    ("servers: [{ url: https://tenant.example/api }]", Same),
    // Operation
    (
        "put: { operationId: c0/write-it, responses: { '204': { description: OK } } }",
        Request("client.c0_write_it().id(\"i1\")", "PUT /c0/i1"),
    ),
    (
        "put: { operationId: move, responses: { '204': { description: OK } } }",
        Request("client.move_().id(\"i1\")", "PUT /c0/i1"),
    ),
    (
        "get: { tags: [], externalDocs: { url: https://docs.example }, deprecated: true }",
        Same,
    ),
    (
        "get: { security: [] }",
        Request("client.c0_read().id(\"i1\")", "GET /c0/i1"),
    ),
    (
        "get: { security: [{ key: [] }] }",
        Request("client.c0_read().id(\"i1\")", "GET /c0/i1"),
    ),
    ("get: { x-extension: { a: 1 } }", Same),
    (
        "get: { x-dropshot-websocket: {}, responses: { '101': { description: Upgraded. } } }",
        Same,
    ),
    (
        "get: { x-dropshot-pagination: { required: [] }, parameters: [{ name: id, in: path, required: true, schema: { type: string } }, { name: page_token, in: query, schema: { type: string } }, { name: limit, in: query, schema: { type: integer } }], responses: { '200': { content: { application/json: { schema: { $ref: null, type: object, required: [items], properties: { items: { type: array, items: { type: string } }, next_page: { type: string } } } } } } } }",
        Request("client.c0_read().id(\"i1\").limit(5)", "GET /c0/i1?limit=5"),
    ),
    (
        "get: { servers: [{ url: https://other.example }] }",
        Refused("get.servers", "one base URL"),
    ),
    (
        "get: { callbacks: { done: { '{$request.query.url}': { post: { responses: { '200': { description: OK } } } } } } }",
        Same,
    ),
    (
        "get: { operationId: null }",
        Refused("get.operationId", "missing"),
    ),
    (
        "get: { operationId: 1st-x }",
        Refused("get.operationId", "cannot be a Rust name"),
    ),
    (
        "put: { operationId: c0_read, responses: { '204': { description: OK } } }",
        Refused("put.operationId", "that of paths./c0/{id}.get"),
    ),
    // Path parameters
    ("get: { parameters: [] }", Same),
    (
        "parameters: []",
        Refused("get.parameters", "is not declared"),
    ),
    (
        "get: { parameters: [{ name: id, in: path, schema: { type: string } }] }",
        Refused("get.parameters[0].required", "always required"),
    ),
    (
        "get: { parameters: [{ name: id, in: path, required: true, style: matrix, schema: { type: string } }] }",
        Refused("get.parameters[0].style", "`simple`"),
    ),
    (
        "get: { parameters: [{ name: id, in: path, required: true, style: label, schema: { type: string } }] }",
        Refused("get.parameters[0].style", "`simple`"),
    ),
    (
        "get: { parameters: [{ name: id, in: path, required: true, schema: { type: array, items: { type: string } } }] }",
        Refused("get.parameters[0].schema", "in the query"),
    ),
    (
        "get: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }] }",
        Request("client.c0_read().id(7)", "GET /c0/7"),
    ),
    (
        "get: { parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }] }",
        Same,
    ),
    (
        "get: { parameters: [{ name: id, in: path, required: true, schema: { type: string, enum: [a, b] } }] }",
        Request("client.c0_read().id(types::C0ReadId::A)", "GET /c0/a"),
    ),
    // Request Body
    (
        "put: { operationId: c0Write, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Inner' } } } }, responses: { '204': { description: OK } } }",
        Request(
            "client.c0_write().id(\"i1\").body(types::Inner::builder().id(\"a\".to_owned()))",
            "PUT /c0/i1 {\"id\":\"a\"}",
        ),
    ),
    (
        "put: { operationId: c0Write, requestBody: { content: { application/json: { schema: { type: object, properties: { a: { type: string } } }, example: { a: b }, examples: { one: { value: { a: b } } } } } }, responses: { '204': { description: OK } } }",
        Request(
            "client.c0_write().id(\"i1\").body(types::C0WriteBody::builder().a(\"b\".to_owned()))",
            "PUT /c0/i1 {\"a\":\"b\"}",
        ),
    ),
    (
        "put: { operationId: c0Write, requestBody: { $ref: '#/components/requestBodies/Inner' }, responses: { '204': { description: OK } } }",
        Request(
            "client.c0_write().id(\"i1\").body(types::Inner::builder().id(\"a\".to_owned()))",
            "PUT /c0/i1 {\"id\":\"a\"}",
        ),
    ),
    (
        "put: { operationId: c0Write, requestBody: { content: { application/json: { schema: { type: array, items: { type: string } } } } }, responses: { '204': { description: OK } } }",
        Request(
            "client.c0_write().id(\"i1\").body(vec![\"a\".to_owned()])",
            "PUT /c0/i1 [\"a\"]",
        ),
    ),
    (
        "put: { operationId: c0Write, requestBody: { content: { text/csv: { schema: { type: string } } } }, responses: { '204': { description: OK } } }",
        Refused("put.requestBody.content", "must be `application/json`"),
    ),
    (
        "put: { operationId: c0Write, requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object } } } }, responses: { '204': { description: OK } } }",
        Refused("put.requestBody.content", "must be `application/json`"),
    ),
    (
        "put: { operationId: c0Write, requestBody: { content: { multipart/form-data: { schema: { type: object }, encoding: { a: { contentType: text/plain } } } } }, responses: { '204': { description: OK } } }",
        Refused("put.requestBody.content", "must be `application/json`"),
    ),
    (
        "put: { operationId: c0Write, requestBody: { content: { application/json: {} } }, responses: { '204': { description: OK } } }",
        Refused(
            "put.requestBody.content.application/json.schema",
            "add a schema",
        ),
    ),
    (
        "put: { operationId: c0Write, requestBody: { content: { application/json: { schema: { type: object }, encoding: { a: { contentType: text/plain } } } } }, responses: { '204': { description: OK } } }",
        Refused(
            "put.requestBody.content.application/json.encoding",
            "leave it out",
        ),
    ),
    (
        "put: { operationId: c0Write, requestBody: {}, responses: { '204': { description: OK } } }",
        Refused("put.requestBody.content", "must be `application/json`"),
    ),
    (
        "put: { operationId: c0Write, requestBody: { content: { application/xml: {}, application/json; charset=utf-8: { schema: { $ref: '#/components/schemas/Inner' } } } }, responses: { '204': { description: OK } } }",
        Request(
            "client.c0_write().id(\"i1\").body(types::Inner::builder().id(\"a\".to_owned()))",
            "PUT /c0/i1 {\"id\":\"a\"}",
        ),
    ),
    (
        "put: { operationId: c0Write, parameters: [{ name: body, in: query, schema: { type: string } }], requestBody: { $ref: '#/components/requestBodies/Inner' }, responses: { '204': { description: OK } } }",
        Refused("put.requestBody", "the setter `body`"),
    ),
    // Responses
    (
        "get: { responses: { '200': { content: { application/xml: { schema: { type: string } } } } } }",
        Same,
    ),
    (
        "get: { responses: { '201': { description: Also. , content: INNER } } }",
        Request("client.c0_read().id(\"i1\")", "GET /c0/i1"),
    ),
    (
        "get: { responses: { 2XX: { description: Also. , content: INNER } } }",
        Request("client.c0_read().id(\"i1\")", "GET /c0/i1"),
    ),
    (
        "get: { responses: { '404': { description: Error., content: INNER } } }",
        Same,
    ),
    (
        "get: { responses: { '404': { description: Error., content: INNER }, '409': { description: Error., content: { text/html: {} } } } }",
        Same,
    ),
    (
        "get: { responses: { 4XX: { description: Error. }, '500': { description: Error. } } }",
        Same,
    ),
    (
        "get: { responses: { default: { description: Error., content: INNER } } }",
        Same,
    ),
    (
        "get: { responses: { '302': { description: Elsewhere., headers: { Location: { schema: { type: string } } } } } }",
        Same,
    ),
    (
        "get: { responses: { '201': { description: Another. } } }",
        Refused("get.responses.201", "differs from that of 200"),
    ),
    (
        "get: { responses: { '201': { description: Another., content: { application/json: { schema: { type: string } } } } } }",
        Refused("get.responses.201", "differs from that of 200"),
    ),
    (
        "get: { responses: { OK: { description: OK } } }",
        Refused("get.responses.OK", "not an HTTP status"),
    ),
    (
        "get: { responses: { '600': { description: OK } } }",
        Refused("get.responses.600", "not an HTTP status"),
    ),
    (
        "put: { operationId: c0Write, responses: {} }",
        Refused("put.responses", "no successful response"),
    ),
    (
        "put: { operationId: c0Write, responses: { '404': { description: Gone. } } }",
        Refused("put.responses", "no successful response"),
    ),
    (
        "put: { operationId: c0Write }",
        Refused("put.responses", "add a successful response"),
    ),
    (
        "put: { operationId: c0Write, responses: { '200': { $ref: '#/components/responses/Inner' } } }",
        Request("client.c0_write().id(\"i1\")", "PUT /c0/i1"),
    ),
    (
        "put: { operationId: c0Write, responses: { '200': { description: OK, content: { application/json: { schema: { type: object, properties: { a: { type: string } } } } } } } }",
        Request("client.c0_write().id(\"i1\")", "PUT /c0/i1"),
    ),
    (
        "put: { operationId: c0Write, responses: { '200': { description: OK, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Inner' } } } } } } }",
        Request("client.c0_write().id(\"i1\")", "PUT /c0/i1"),
    ),
    (
        "put: { operationId: c0Write, responses: { '200': { description: OK, content: { application/json: { schema: { type: object, properties: { next_cursor: { type: string }, items: { type: array, items: { type: object, properties: { id: { type: string } } } } } } } } } } }",
        Request("client.c0_write().id(\"i1\")", "PUT /c0/i1"),
    ),
    (
        "put: { operationId: c0Write, responses: { '200': { description: OK, content: { application/json: { schema: { type: object, properties: { items: { type: array, items: { type: string } } } } } } } } }",
        Request("client.c0_write().id(\"i1\")", "PUT /c0/i1"),
    ),
    (
        "get: { responses: { '200': { headers: { X-Left: { description: Left., schema: { type: integer } } }, links: { again: { operationId: c0Read, parameters: { id: $response.body#/id } } } } } }",
        Same,
    ),
    (
        "put: { operationId: c0Write, responses: { '200': { description: OK, content: { text/csv: { schema: { type: string } } } } } }",
        Refused("put.responses.200.content", "must be `application/json`"),
    ),
    (
        "put: { operationId: c0Write, responses: { '200': { description: OK, content: { application/json: {} } } } }",
        Refused(
            "put.responses.200.content.application/json.schema",
            "add a schema",
        ),
    ),
    (
        "put: { operationId: c0Write, responses: { '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/1st list' } } } } } }",
        Request("client.c0_write().id(\"i1\")", "PUT /c0/i1"),
    ),
];
