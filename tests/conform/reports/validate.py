"""Runs `ralph validate` with a model for completed courses, which ralph lacks: without a model, it skips a statement."""

import ralph.models.xapi
from ralph.cli import cli
from ralph.models.selector import selector
from ralph.models.xapi.base.statements import BaseXapiStatement
from ralph.models.xapi.concepts.activity_types.scorm_profile import CourseActivity
from ralph.models.xapi.concepts.verbs.scorm_profile import CompletedVerb


class CompletedCourse(BaseXapiStatement):
    __selector__ = selector(
        verb__id="http://adlnet.gov/expapi/verbs/completed",
        object__definition__type="http://adlnet.gov/expapi/activities/course",
    )

    verb: CompletedVerb
    object: CourseActivity


ralph.models.xapi.CompletedCourse = CompletedCourse
cli(["validate", "-f", "xapi", "--fail-on-unknown"])
