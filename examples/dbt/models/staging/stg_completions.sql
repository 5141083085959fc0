-- The service still lists the completions of deleted learners and courses, so the ids may refer to none.
select
    "user" as learner_id,
    course as course_id,
    max(happened_utc) as completed_at
from {{ source('lms', 'course_completions') }}
where _deleted_at is null and _missing_since is null
group by "user", course
