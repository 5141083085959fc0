// A short session with openapi-typescript's types and openapi-fetch, as its user would write it. `tsc` checks it first.

import createClient from "openapi-fetch";

import type { paths } from "./schema.js";

function need(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

function check(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

/** Returns the data of a response; an error status ends the session. */
function good<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  check(response.ok, `${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data as T;
}

const baseUrl = `${need("LMS_BASE_URL")}/api/v1`;
const token = good(
  await createClient<paths>({ baseUrl }).POST("/oauth/token", {
    body: {
      grant_type: "client_credentials",
      client_id: need("LMS_CLIENT_ID"),
      client_secret: need("LMS_CLIENT_SECRET"),
    },
  }),
);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token.access_token}` } });

const me = good(await client.GET("/oauth/me"));
check(me.tid !== undefined, "me has no tid");
check(me.tid === good(await client.GET("/test")).tid, "test and me return different tenants");

const course = good(await client.POST("/courses", { body: { name: "Peer" } })).id;
check(course !== undefined, "the course has no id");
const learner = good(
  await client.POST("/learners", {
    body: { firstname: "Pia", surname: "Peer", email: "pia.ts@peer.example", generate_password: true, tags: ["peer"] },
  }),
).id;
check(learner !== undefined, "the learner has no id");
const enrolment = good(await client.POST("/enrolments", { body: { course, user: learner } }));
check(enrolment.user === learner, "another learner is enrolled");

const seen = new Set<string>();
let cursor: string | undefined;
for (;;) {
  const page = good(await client.GET("/learners", { params: { query: { limit: "100", ...(cursor && { cursor }) } } }));
  for (const each of page.items ?? []) {
    check(each.id !== undefined && !seen.has(each.id), "a learner is listed twice");
    seen.add(each.id);
  }
  if (page.more !== true) {
    check(page.number_found === String(seen.size), "learners are missing");
    break;
  }
  cursor = page.next_cursor;
}
check(seen.has(learner), "the new learner is not in the list");

const edited = good(
  await client.PUT("/learners/{id}", {
    params: { path: { id: learner } },
    body: { firstname: "Pia", surname: "Peer-Ray", email: "pia.ts@peer.example" },
  }),
);
check(edited.surname === "Peer-Ray", "the surname was not changed");

good(await client.DELETE("/enrolments", { params: { query: { user: learner, course } } }));
good(await client.DELETE("/learners/{id}", { params: { path: { id: learner } } }));
good(await client.DELETE("/courses/{id}", { params: { path: { id: course } } }));
const gone = await client.GET("/learners/{id}", { params: { path: { id: learner } } });
check(gone.response.status === 404, `a deleted learner responded with ${gone.response.status}`);

console.log(`${seen.size} learners on pages, one added, edited and deleted`);
