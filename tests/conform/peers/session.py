"""A short session with openapi-python-client's client, as its user would write it."""

import os

from peer_client import AuthenticatedClient
from peer_client.api.courses import add_course, delete_course
from peer_client.api.enrolments import add_enrolment, delete_enrolment
from peer_client.api.learners import add_learner, delete_learner, edit_learner, get_learner_by_id, list_learners
from peer_client.api.o_auth_and_test import get_token, me, test
from peer_client.errors import UnexpectedStatus
from peer_client.models import AddCourse, AddEnrolment, AddLearner, EditLearner, TokenRequest

BASE = os.environ["LMS_BASE_URL"] + "/api/v1"


def tenant(token: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=BASE, token=token, raise_on_unexpected_status=True)


def main() -> None:
    token = get_token.sync(
        # The generated function requires a token, although this operation ignores it.
        client=tenant("unused"),
        body=TokenRequest(
            grant_type="client_credentials",
            client_id=os.environ["LMS_CLIENT_ID"],
            client_secret=os.environ["LMS_CLIENT_SECRET"],
        ),
    )
    client = tenant(token.access_token)
    here = me.sync(client=client)
    assert isinstance(here.tid, str), "me has no tid"
    assert here.tid == test.sync(client=client).tid, "test and me return different tenants"

    course = add_course.sync(client=client, body=AddCourse(name="Peer")).id
    learner = add_learner.sync(
        client=client,
        body=AddLearner(
            firstname="Pia",
            surname="Peer",
            email="pia.python@peer.example",
            generate_password=True,
            tags=["peer"],
        ),
    ).id
    enrolment = add_enrolment.sync(client=client, body=AddEnrolment(course=course, user=learner))
    assert enrolment.user == learner, "another learner is enrolled"

    seen = set()
    cursor = {}
    while True:
        page = list_learners.sync(client=client, limit="100", **cursor)
        ids = [each.id for each in page.items]
        assert not seen.intersection(ids), "a learner is listed twice"
        seen.update(ids)
        if page.more is not True:
            break
        cursor = {"cursor": page.next_cursor}
    assert page.number_found == str(len(seen)), "learners are missing"
    assert learner in seen, "the new learner is not in the list"

    body = EditLearner(firstname="Pia", surname="Peer-Ray", email="pia.python@peer.example")
    edited = edit_learner.sync(id=learner, client=client, body=body)
    assert edited.surname == "Peer-Ray", "the surname was not changed"

    for deleted in (
        delete_enrolment.sync_detailed(client=client, user=learner, course=course),
        delete_learner.sync_detailed(id=learner, client=client),
        delete_course.sync_detailed(id=course, client=client),
    ):
        assert deleted.status_code == 200, f"a delete responded with {deleted.status_code}"
    try:
        get_learner_by_id.sync(id=learner, client=client)
        raise AssertionError("the learner is still there")
    except UnexpectedStatus as error:
        assert error.status_code == 404, f"a deleted learner responded with {error.status_code}"
    print(f"{len(seen)} learners on pages, one added, edited and deleted")


main()
