select
    l.id as learner_id,
    l.firstname,
    l.surname,
    coalesce(f.fields ->> 'Department', '(none)') as department,
    coalesce(l.archived, false) as is_archived,
    l._missing_since is not null as is_missing
from {{ source('lms', 'learners') }} l
join {{ source('lms', 'learner_fields') }} f on f.learner = l.id
where l._deleted_at is null
