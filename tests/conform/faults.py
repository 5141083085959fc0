"""Faults between lms-ext and the sandbox, for `cargo xtask conform`. FAULT names one; none is `control`.

A fault strikes by count and never by chance, so that every run is the same one. Token requests are struck like all
others. Every strike is said on standard output: a fault that never struck proves nothing.
"""

import asyncio
import os

from mitmproxy import http

FAULT = os.environ["FAULT"]
HTML = "<!DOCTYPE html>\n<html><head><title>Bad Gateway</title></head><body><h1>502</h1></body></html>\n"


def answer(status: int, body: str, content_type: str, **headers: str) -> http.Response:
    return http.Response.make(status, body, {"content-type": content_type, **headers})


class Faults:
    def __init__(self) -> None:
        self.requests = 0
        self.answers = 0

    def strike(self, flow: http.HTTPFlow) -> None:
        print(f"struck {flow.request.method} {flow.request.path}", flush=True)

    async def request(self, flow: http.HTTPFlow) -> None:
        """Before the tenant has seen it."""
        self.requests += 1
        second, third = self.requests % 2 == 0, self.requests % 3 == 0
        if FAULT == "busy" and second:
            self.strike(flow)
            flow.response = answer(503, '{"error":{"code":"busy","message":"later"}}', "application/json")
        elif FAULT == "limited" and second:
            self.strike(flow)
            body = '{"error":{"code":"rate_limited","message":"slower"}}'
            flow.response = answer(429, body, "application/json", **{"retry-after": "0"})
        elif FAULT == "html" and second:
            self.strike(flow)
            flow.response = answer(502, HTML, "text/html; charset=utf-8")
        elif FAULT == "killed-before" and third:
            self.strike(flow)
            flow.kill()
        elif FAULT == "delayed" and third:
            self.strike(flow)
            await asyncio.sleep(0.3)
        elif FAULT == "silent" and self.requests % 25 == 0:
            # Longer than the session waits for an attempt.
            self.strike(flow)
            await asyncio.sleep(8)

    def response(self, flow: http.HTTPFlow) -> None:
        """After the tenant has carried it out."""
        if flow.response.status_code != 200:
            return
        self.answers += 1
        third = self.answers % 3 == 0
        body = flow.response.raw_content or b""
        if FAULT == "killed-after" and third:
            self.strike(flow)
            flow.kill()
        elif FAULT == "overlong" and third:
            # The answer promises more than comes; the connection closes where the rest should be.
            self.strike(flow)
            flow.response.headers["content-length"] = str(len(body) + 100)
            flow.response.headers["connection"] = "close"
        elif FAULT == "cut" and third and body:
            # Half of the answer, and then the end of it, long before the length that was promised.
            self.strike(flow)
            length = str(len(body))
            flow.response.raw_content = body[: len(body) // 2]
            flow.response.headers["content-length"] = length
            flow.response.headers["connection"] = "close"
        elif FAULT == "cut-clean" and self.answers % 5 == 0 and body:
            # Half of the answer, with a length that fits: nothing but the JSON says that there should be more.
            self.strike(flow)
            flow.response.raw_content = body[: len(body) // 2]
            flow.response.headers["content-length"] = str(len(body) // 2)


addons = [Faults()]
