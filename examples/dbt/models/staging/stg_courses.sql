select
    id as course_id,
    name as course_name,
    _missing_since is not null as is_missing
from {{ source('lms', 'courses') }}
where _deleted_at is null
