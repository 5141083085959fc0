-- title: Who has to take which courses, who lacks them, and until when they are valid
-- about: It has a row for each person who is not archived and each course that the rules require, also without an enrolment. A
-- about: day ends at midnight in the time zone of the rules. A completion counts without an enrolment, and one that has expired is
-- about: overdue, unless the person is not enrolled. Rules with a custom field also need user_fields and records.
-- needs: learners, courses, topics, enrolments, topic_progress, course_completions
-- parameter: rules rules: The rules: who has to take which courses, in TOML
-- parameter: course course: Only this course, by id or name
-- parameter: state not_enrolled | not_started | in_progress | overdue | expires_soon | done: Only people in this state
-- parameter: summary flag: The number of people in each state, by requirement and course
-- columns: state, due_at time, email, course_name, requirement, since time, firstname, surname, learner, course
-- columns: evidence, undecided
-- order: surname, firstname, learner, course_name, course, rule
WITH rules AS MATERIALIZED (
    SELECT CAST(r.value ->> 'rule' AS INTEGER) AS rule, r.value ->> 'course' AS course, r.value ->> 'tag' AS tag,
        r.value ->> 'signup_page' AS signup_page, r.value ->> 'email' AS email, r.value ->> 'field' AS field,
        r.value ->> 'value' AS field_value, r.value ->> 'certificate' AS certificate
    FROM json_each(:rules) r -- sqlite
    FROM json_array_elements(CAST(:rules AS JSON)) r -- postgres
)
SELECT
    r.rule, l.id AS learner, l.firstname, l.surname, l.email, l.created_utc AS joined_utc, l.created AS joined,
    c.id AS course, c.name AS course_name,
    CASE WHEN c.auto_due_type = 'none' THEN NULL ELSE c.auto_due_date_utc END AS course_due,
    CASE WHEN c.auto_due_type = 'none' THEN NULL WHEN c.auto_due_seconds BETWEEN 1 AND 94608000000 THEN c.auto_due_seconds END AS due_seconds,
    CASE WHEN c.renewal_type = 'none' THEN NULL WHEN c.renewal_days BETWEEN 1 AND 1095000 THEN c.renewal_days END AS renewal_days,
    CASE WHEN c.renewal_type = 'none' THEN NULL ELSE c.renewal_date_utc END AS renewal_date,
    e.id AS enrolment, e.at_utc AS enrolled_utc, e.at AS enrolled,
    (SELECT max(x.id) FROM course_completions x WHERE x."user" = l.id AND x.course = c.id AND x._deleted_at IS NULL
        AND coalesce(x.happened, '') = coalesce(d.at, '')) AS completion,
    d.at_utc AS completed_utc, d.at AS completed, p.at_utc AS begun_utc, p."user" IS NOT NULL AS begun,
    CAST(NULL AS TEXT) AS certificate, NULL AS expires_utc, CAST(NULL AS TEXT) AS expires /* without fields */ -- sqlite
    CAST(NULL AS TEXT) AS certificate, CAST(NULL AS TIMESTAMPTZ) AS expires_utc, CAST(NULL AS TEXT) AS expires /* without fields */ -- postgres
    f.id AS certificate, f.at_utc AS expires_utc, f.at AS expires /* with fields */
FROM rules r
JOIN courses c ON c.id = r.course AND c._deleted_at IS NULL AND NOT coalesce(c.archived, FALSE)
JOIN learners l ON l._deleted_at IS NULL AND NOT (coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE))
    AND (r.tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) t WHERE t.type = 'text' AND t.value = r.tag)) -- sqlite
    AND (r.tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(r.tag)) -- postgres
    AND (r.signup_page IS NULL OR l.signup_page = r.signup_page)
    AND (r.email IS NULL OR lower(l.email) LIKE r.email ESCAPE '!')
    AND (r.field IS NULL OR EXISTS (SELECT 1 FROM records f WHERE f."user" = l.id AND f.user_field = r.field /* with fields */
        AND f._deleted_at IS NULL AND lower(trim(f.value)) = r.field_value)) /* with fields */
LEFT JOIN (SELECT "user", course, min(id) AS id, min(created_utc) AS at_utc, min(created) AS at FROM enrolments
    WHERE _deleted_at IS NULL GROUP BY "user", course) e ON e."user" = l.id AND e.course = c.id
LEFT JOIN (SELECT "user", course, max(happened_utc) AS at_utc, max(happened) AS at FROM course_completions
    WHERE _deleted_at IS NULL GROUP BY "user", course) d ON d."user" = l.id AND d.course = c.id
LEFT JOIN (SELECT "user", course, min(completed_on_utc) AS at_utc FROM topic_progress
    WHERE completed AND _deleted_at IS NULL GROUP BY "user", course) p ON p."user" = l.id AND p.course = c.id
LEFT JOIN (SELECT "user", user_field, max(id) AS id, max(expires_on_utc) AS at_utc, max(expires_on) AS at FROM records /* with fields */
    WHERE _deleted_at IS NULL AND coalesce(has_value, TRUE) AND NOT coalesce(not_applicable, FALSE) /* with fields */
    GROUP BY "user", user_field) f ON f."user" = l.id AND f.user_field = r.certificate /* with fields */
WHERE :course IS NULL OR c.id = :course
-- left out: courses that the rules require and that are archived
SELECT count(DISTINCT c.id) AS n FROM courses c
JOIN json_each(:rules) r ON c.id = r.value ->> 'course' -- sqlite
JOIN json_array_elements(CAST(:rules AS JSON)) r ON c.id = r.value ->> 'course' -- postgres
WHERE coalesce(c.archived, FALSE) AND c._deleted_at IS NULL
