"""A name server for `cargo xtask conform`: NAME has the address of this machine, and no other name exists."""

import os

from mitmproxy import dns


def dns_request(flow: dns.DNSFlow) -> None:
    question = flow.request.question
    if question.name != os.environ["NAME"]:
        flow.response = flow.request.fail(dns.response_codes.NXDOMAIN)
        return
    known = question.type == dns.types.A
    answers = [dns.ResourceRecord.A(question.name, dns.IPv4Address("127.0.0.1"))] if known else []
    flow.response = flow.request.succeed(answers)
    print("looked up", question.name, flush=True)
