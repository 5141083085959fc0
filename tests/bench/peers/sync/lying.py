"""A tenant that lies while its enrolments are read."""

import http.server
import json
import threading
from urllib.parse import parse_qs, urlsplit

PAGE = 200
# The page with the lie, from 0.
LIE = 6


def pages_of(items):
    return [items[start : start + PAGE] for start in range(0, len(items), PAGE)]


class Tenant:
    """The pages of a list, by cursors that are numbers of pages."""

    def __init__(self, items):
        self.items = items
        # The ids of rows that are there all the time.
        self.there = {item["id"] for item in items}

    def page(self, index):
        pages = pages_of(self.items)
        more = index + 1 < len(pages)
        return {
            "items": pages[index],
            "number_found": str(len(self.items)),
            "more": more,
            "next_cursor": str(index + 1) if more else None,
        }


class CountFalls(Tenant):
    """The last page is left out, and the page before it says that the list is empty and ends here."""

    def page(self, index):
        page = super().page(index)
        if index + 2 == len(pages_of(self.items)):
            page.update(number_found="0", more=False, next_cursor=None)
        return page


class PageTwice(Tenant):
    """A page has the rows of the page before it."""

    def page(self, index):
        page = super().page(index)
        if index == LIE:
            page["items"] = super().page(index - 1)["items"]
        return page


class WithoutMore(Tenant):
    """A page has a cursor and no `more`."""

    def page(self, index):
        page = super().page(index)
        if index == LIE:
            del page["more"]
        return page


class WithoutIds(Tenant):
    """The ids of a page are null."""

    def page(self, index):
        page = super().page(index)
        if index == LIE:
            page["items"] = [item | {"id": None} for item in page["items"]]
        return page


class Deletion(Tenant):
    """Pages are counted by offset, and once, a row of a page that was read is deleted."""

    deleted = False

    def page(self, index):
        if index == LIE and not self.deleted:
            self.deleted = True
            self.there.remove(self.items.pop(0)["id"])
        return super().page(index)


LIES = {
    "none, from a list in memory": Tenant,
    "the count falls to 0 before the last page": CountFalls,
    "a page repeated in place of the next one": PageTwice,
    "a page with a cursor and without `more`": WithoutMore,
    "a page whose ids are null": WithoutIds,
    "a row deleted while pages are counted by offset": Deletion,
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urlsplit(self.path)
        if url.path.endswith("/oauth/me"):
            return self.respond({"tid": "t1"})
        if not url.path.endswith("/enrolments"):
            return self.respond({"error": "not found"}, 404)
        cursor = parse_qs(url.query).get("cursor", ["0"])[0]
        with self.server.lock:
            page = self.server.tenant.page(int(cursor))
        self.respond(page)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.respond({"access_token": "token", "token_type": "Bearer", "expires_in": 86400})

    def respond(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Lying:
    """Serves a tenant until the block ends."""

    def __init__(self, tenant):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.lock = threading.Lock()
        self.server.tenant = self.tenant = tenant
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def enrolments(count):
    return [
        {"id": f"e{index}", "user": f"l{index // 2}", "course": f"c{index % 2}", "status": "enrolled"}
        for index in range(count)
    ]
