select
    l.department,
    c.course_name,
    count(*) as enrolled,
    count(d.learner_id) as completed,
    round(100.0 * count(d.learner_id) / count(*), 1) as completed_percent
from {{ ref('stg_enrolments') }} e
join {{ ref('stg_learners') }} l on l.learner_id = e.learner_id
join {{ ref('stg_courses') }} c on c.course_id = e.course_id
left join {{ ref('stg_completions') }} d on d.learner_id = e.learner_id and d.course_id = e.course_id
-- After the joins: a missing learner is left out with all enrolments, and no row refers to nothing.
where not (e.is_missing or l.is_missing or c.is_missing) and not l.is_archived
group by l.department, c.course_name
