//! The OpenAPI Object, and Components beside schemas.

use crate::Expected::{self, Refused, Request, Same};

/// What is added to the whole document.
pub(crate) const DOCUMENTS: &[(&str, Expected)] = &[
    ("openapi: 3.0.0", Same),
    ("openapi: 3.0.4", Same),
    ("openapi: 3.1.0", Refused("openapi", "OpenAPI 3.0.3")),
    ("openapi: null", Refused("openapi", "is missing")),
    ("swagger: '2.0'", Same),
    (
        "info: { termsOfService: https://terms.example, contact: { name: A, url: https://a.example, email: a@b.example }, license: { name: MIT, url: https://mit.example } }",
        Same,
    ),
    ("info: null", Refused("info", "add `info`")),
    (
        "servers: [{ url: '{host}/api', description: Any, variables: { host: { default: https://a.example, enum: [https://a.example] } } }]",
        Same,
    ),
    ("servers: []", Same),
    (
        "tags: [{ name: Things, description: Things., externalDocs: { url: https://docs.example } }]",
        Same,
    ),
    (
        "externalDocs: { url: https://docs.example, description: More. }",
        Same,
    ),
    ("x-extension: { $ref: nowhere }", Same),
    ("paths: null", Refused("paths", "add the `paths`")),
    (
        "paths: { things: {} }",
        Refused("paths.things", "write `/things`"),
    ),
    (
        "paths: { '/things?all=true': {} }",
        Refused("paths./things?all=true", "query parameters"),
    ),
    ("paths: { /empty: {} }", Same),
    (
        "paths: { '/c0/{type}/{3d}': { get: { operationId: c0Typed, parameters: [{ name: type, in: path, required: true, schema: { type: string } }, { name: 3d, in: path, required: true, schema: { type: string } }], responses: { '204': { description: OK } } } } }",
        Refused("paths./c0/{type}/{3d}.get.parameters[1].name", "a letter"),
    ),
    (
        "paths: { '/c0/{type}': { get: { operationId: c0Typed, parameters: [{ name: type, in: path, required: true, schema: { type: string } }], responses: { '204': { description: OK } } } } }",
        Request("client.c0_typed().type_(\"t1\")", "GET /c0/t1"),
    ),
    (
        "components: { headers: { X-Left: { schema: { type: integer } } } }",
        Same,
    ),
    (
        "components: { examples: { One: { summary: One., value: { $ref: nowhere } } } }",
        Same,
    ),
    (
        "components: { links: { Again: { operationId: read } } }",
        Same,
    ),
    (
        "components: { callbacks: { Done: { '{$request.query.url}': { post: { responses: { '200': { description: OK } } } } } } }",
        Same,
    ),
    (
        "components: { parameters: { Q: { name: q, in: query, schema: { type: string } } } }",
        Same,
    ),
    (
        "components: { responses: { Gone: { description: Gone. } } }",
        Same,
    ),
    (
        "components: { requestBodies: { None: { content: {} } } }",
        Same,
    ),
    (
        "components: { securitySchemes: { key: { type: apiKey, name: X-Key, in: header } } }",
        Same,
    ),
    (
        "components: { securitySchemes: { http: { type: http, scheme: bearer, bearerFormat: JWT } } }",
        Same,
    ),
    (
        "components: { securitySchemes: { basic: { type: http, scheme: basic } } }",
        Same,
    ),
    (
        "components: { securitySchemes: { oauth: { type: oauth2, flows: { implicit: { authorizationUrl: https://a.example, scopes: {} }, password: { tokenUrl: https://a.example, scopes: {} }, authorizationCode: { authorizationUrl: https://a.example, tokenUrl: https://a.example, scopes: { all: All. } } } } } }",
        Same,
    ),
    (
        "components: { securitySchemes: { oidc: { type: openIdConnect, openIdConnectUrl: https://a.example } } }",
        Same,
    ),
    (
        "components: { securitySchemes: { odd: { type: magic } } }",
        Refused("components.securitySchemes.odd", "magic"),
    ),
    (
        "components: { schemas: { inner: { type: object } } }",
        Refused("components.schemas.inner", "type `Inner`"),
    ),
];
