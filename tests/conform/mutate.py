"""A sandbox with one error, for `cargo xtask conform --mutants`. MUTANT selects it; `control` has none.

A careless change of the service could cause each of them, and a check must find each.
"""

import json
import os
from urllib.parse import urlsplit

from mitmproxy import http

MUTANT = os.environ["MUTANT"]


def path(flow: http.HTTPFlow) -> str:
    return urlsplit(flow.request.path).path


class Mutant:
    def __init__(self) -> None:
        self.token: str | None = None

    def request(self, flow: http.HTTPFlow) -> None:
        request = flow.request
        authorization = request.headers.get("authorization", "")
        if self.token is None and authorization.startswith("Bearer ") and path(flow).endswith("/oauth/me"):
            self.token = authorization
        if MUTANT == "ignores-auth" and self.token is not None and path(flow) != "/api/v1/oauth/token":
            request.headers["authorization"] = self.token
        elif MUTANT == "ignores-filters" and request.method == "GET" and "user" in request.query:
            del request.query["user"]
        elif MUTANT == "ignores-cursor" and request.method == "GET" and "cursor" in request.query:
            del request.query["cursor"]
        elif MUTANT == "forgets-deletes" and request.method == "DELETE" and "/learners/" in path(flow):
            flow.response = http.Response.make(200, b"")
        elif MUTANT == "accepts-anything" and request.method == "POST" and path(flow) == "/api/v1/courses":
            try:
                body = json.loads(request.content or b"")
            except ValueError:
                return
            if isinstance(body, dict) and not isinstance(body.get("archived", False), bool):
                body["archived"] = True
                request.text = json.dumps(body)

    def response(self, flow: http.HTTPFlow) -> None:
        response = flow.response
        where = path(flow)
        if flow.request.method == "GET" and where == "/api/v1/oauth/me" and response.status_code == 200:
            self.token = flow.request.headers.get("authorization")
        if MUTANT == "created" and flow.request.method == "POST" and response.status_code == 200:
            response.status_code = 201
        elif MUTANT == "server-error" and where.startswith("/api/v1/topics/") and response.status_code == 404:
            response.status_code = 500
        elif MUTANT == "html-refusal" and response.status_code == 404:
            response.headers["content-type"] = "text/html"
            response.content = b"<h1>Not found</h1>"
        elif MUTANT == "no-content" and flow.request.method == "DELETE" and response.status_code == 200:
            response.status_code = 204
        elif response.status_code == 200 and response.content:
            try:
                body = json.loads(response.content)
            except ValueError:
                return
            if self.change(where, body):
                response.text = json.dumps(body)

    def change(self, where: str, body: object) -> bool:
        """Changes a successful response, and returns whether it did."""
        if not isinstance(body, dict):
            return False
        items = body.get("items", [])
        if MUTANT == "integer-for-text" and isinstance(body.get("number_found"), str):
            body["number_found"] = int(body["number_found"])
        elif MUTANT == "text-for-flag" and isinstance(body.get("more"), bool):
            body["more"] = str(body["more"]).lower()
        elif MUTANT == "nameless-topics" and where == "/api/v1/topics" and items:
            items[0].pop("name", None)
        elif MUTANT == "date-without-zone" and where == "/api/v1/course_completions" and items:
            for item in items:
                item["happened"] = item["happened"].rstrip("Z")
        elif MUTANT == "null-list" and items and where == "/api/v1/learners":
            items[0]["tags"] = None
        elif MUTANT == "object-for-list" and where == "/api/v1/tags":
            body["items"] = {"tags": items}
        elif MUTANT == "no-id" and where == "/api/v1/courses" and "items" not in body:
            body.pop("id", None)
        elif MUTANT == "never-more" and body.get("more") is True:
            body["more"] = False
        else:
            return False
        return True


addons = [Mutant()]
