select
    id as enrolment_id,
    "user" as learner_id,
    course as course_id,
    created_utc as enrolled_at,
    _missing_since is not null as is_missing
from {{ source('lms', 'enrolments') }}
where _deleted_at is null
