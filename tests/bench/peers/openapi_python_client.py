"""The calls of tests/bench/subjects/src/bin/bench-layers through openapi-python-client's client, as its user would write them:
python openapi_python_client.py JOB WARM-UP CALLS."""

import json
import os
import sys
import time

from peer_client import AuthenticatedClient
from peer_client.api.learners import get_learner_by_id, list_learners
from peer_client.api.o_auth_and_test import get_token
from peer_client.models import TokenRequest

BASE = os.environ["LMS_BASE_URL"] + "/api/v1"


def tenant(token: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=BASE, token=token, raise_on_unexpected_status=True)


def measure(warm_up: int, calls: int, call) -> dict:
    for _ in range(warm_up):
        call()
    rows = size = 0
    ran, started = time.process_time(), time.perf_counter()
    for _ in range(calls):
        learners = call()
        rows += len(learners)
        size += sum(len(learner.email.encode()) for learner in learners)
    wall = time.perf_counter() - started
    processor = time.process_time() - ran
    return {"calls": calls, "wall": wall, "processor": processor, "rows": rows, "bytes": size}


def main() -> None:
    job, warm_up, calls = sys.argv[1:]
    token = get_token.sync(
        # The generated function requires a token, although this operation ignores it.
        client=tenant("unused"),
        body=TokenRequest(
            grant_type="client_credentials",
            client_id=os.environ["LMS_CLIENT_ID"],
            client_secret=os.environ["LMS_CLIENT_SECRET"],
        ),
    )
    # As a context manager, it keeps its connections.
    with tenant(token.access_token) as client:
        if job == "page":
            call = lambda: list_learners.sync(client=client, limit="200").items
        elif job == "learner":
            first = list_learners.sync(client=client, limit="200").items[0].id
            call = lambda: [get_learner_by_id.sync(first, client=client)]
        else:
            sys.exit(f"there is no job {job}")
        print(json.dumps(measure(int(warm_up), int(calls), call)))


if __name__ == "__main__":
    main()
