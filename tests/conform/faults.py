"""Faults between lms-ext and the sandbox, for `cargo xtask conform`. FAULT selects one of FAULTS.

A fault occurs by count and never by chance, so that every run is the same. Token requests fail like all others. Each
injected fault is printed: a run without faults proves nothing.
"""

import asyncio
import os

from mitmproxy import http

JSON = "application/json"
HTML = "<!DOCTYPE html>\n<html><head><title>Bad Gateway</title></head><body><h1>502</h1></body></html>\n"


def respond(status: int, content_type: str, body: str, **headers: str):
    async def inject(flow: http.HTTPFlow) -> None:
        flow.response = http.Response.make(status, body, {"content-type": content_type, **headers})

    return inject


def delay(seconds: float):
    return lambda flow: asyncio.sleep(seconds)


async def kill(flow: http.HTTPFlow) -> None:
    flow.kill()


def cut(sent, announced):
    """Sends part of the body, and closes the connection where more was announced. Takes functions of the size."""

    async def inject(flow: http.HTTPFlow) -> None:
        body = flow.response.raw_content or b""
        flow.response.raw_content = body[: sent(len(body))]
        flow.response.headers["content-length"] = str(announced(len(body)))
        if announced(len(body)) > sent(len(body)):
            flow.response.headers["connection"] = "close"

    return inject


whole, half = lambda size: size, lambda size: size // 2

# Injected into every nth request, before the service processes it, or every nth successful response, after that.
FAULTS = {
    "control": ("request", 0, None),
    "busy": ("request", 2, respond(503, JSON, '{"error":{"code":"busy","message":"later"}}')),
    "limited": (
        "request",
        2,
        respond(429, JSON, '{"error":{"code":"rate_limited","message":"slower"}}', **{"retry-after": "0"}),
    ),
    "html": ("request", 2, respond(502, "text/html; charset=utf-8", HTML)),
    "killed-before": ("request", 3, kill),
    "delayed": ("request", 3, delay(0.3)),
    # Longer than the timeout of an attempt.
    "silent": ("request", 25, delay(8)),
    "killed-after": ("response", 3, kill),
    "overlong": ("response", 3, cut(whole, lambda size: size + 100)),
    "cut": ("response", 3, cut(half, whole)),
    # Only the JSON shows that something is missing.
    "cut-clean": ("response", 5, cut(half, half)),
}
POINT, EVERY, INJECT = FAULTS[os.environ["FAULT"]]


class Faults:
    seen = 0

    async def inject(self, point: str, flow: http.HTTPFlow) -> None:
        if point == POINT and EVERY:
            self.seen += 1
            if self.seen % EVERY == 0:
                print(f"injected into {flow.request.method} {flow.request.path}", flush=True)
                await INJECT(flow)

    async def request(self, flow: http.HTTPFlow) -> None:
        await self.inject("request", flow)

    async def response(self, flow: http.HTTPFlow) -> None:
        if flow.response.status_code == 200:
            await self.inject("response", flow)


addons = [Faults()]
