-- title: Who has to take which courses, who lacks them, and until when they are valid
-- about: It has a row for each person who is not archived and each course that the rules require, also without an enrolment. A
-- about: day ends at midnight in the time zone of the rules. A completion counts without an enrolment, and one that has expired is
-- about: overdue, unless the person is not enrolled. Rules with a custom field also need user_fields and records.
-- needs: learners, courses, topics, enrolments, topic_progress, course_completions
-- parameter: rules rules: Who has to take which courses, in TOML: [[required]] with name, who, courses and within
-- parameter: course course: Only this course, by id or name
-- parameter: state not_enrolled | not_started | in_progress | overdue | expires_soon | done: Only people in this state
-- parameter: summary flag: The rows in each state, like --group-by requirement,course_name
-- columns: state, due_at time, email, course_name, requirement, since time, firstname, surname, learner, course
-- columns: evidence, undecided
-- order: surname, firstname, learner, course_name, course, rule
WITH rules AS MATERIALIZED (
    SELECT CAST(r.key AS INTEGER) AS rule, -- sqlite
    SELECT CAST(r.key - 1 AS INTEGER) AS rule, -- postgres
        r.value ->> 'name' AS name, n.value AS course, r.value -> 'who' ->> 'tag' AS tag, r.value -> 'who' ->> 'signup_page' AS signup_page,
        r.value -> 'who' ->> 'email' AS email, r.value -> 'who' ->> 'field' AS field, r.value -> 'who' -> 'texts' AS field_texts,
        r.value ->> 'certificate' AS certificate
    FROM json_each(:rules) r, json_each(r.value, '$.courses') n -- sqlite
    FROM json_array_elements(CAST(:rules AS JSON)) WITH ORDINALITY r(value, key), json_array_elements_text(r.value -> 'courses') n -- postgres
), pairs AS (
    SELECT r.rule, l.id AS learner, c.id AS course, r.certificate
    FROM rules r
    JOIN courses c ON c.id = r.course AND c._deleted_at IS NULL AND NOT coalesce(c.archived, FALSE)
    JOIN learners l ON l._deleted_at IS NULL AND NOT (coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE))
        AND (r.tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) t WHERE t.type = 'text' AND t.value = r.tag)) -- sqlite
        AND (r.tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(r.tag)) -- postgres
        AND (r.signup_page IS NULL OR l.signup_page = r.signup_page)
        AND (r.email IS NULL OR lower(l.email) LIKE r.email ESCAPE '!')
        AND (r.field IS NULL OR EXISTS (SELECT 1 FROM records f WHERE f."user" = l.id AND f.user_field = r.field /* with fields */
            AND f._deleted_at IS NULL AND coalesce(f.has_value, TRUE) AND NOT coalesce(f.not_applicable, FALSE) /* with fields */
            AND f.value IN (SELECT t.value FROM json_each(r.field_texts) t))) /* with fields */ -- sqlite
            AND f.value IN (SELECT json_array_elements_text(r.field_texts)))) /* with fields */ -- postgres
    WHERE :course IS NULL OR c.id = :course
)
{facts}
-- left out: requirements of nobody ({names}); check their `who`
{pairs}
SELECT count(DISTINCT r.rule) AS n, r.name FROM rules r
JOIN courses c ON c.id = r.course AND c._deleted_at IS NULL AND NOT coalesce(c.archived, FALSE)
WHERE (:course IS NULL OR c.id = :course) AND NOT EXISTS (SELECT 1 FROM pairs p WHERE p.rule = r.rule)
GROUP BY r.name
-- left out: courses that the rules require and that are archived or deleted ({names})
SELECT count(DISTINCT c.id) AS n, c.name FROM courses c
JOIN json_each(:rules) r JOIN json_each(r.value, '$.courses') n ON n.value = c.id -- sqlite
JOIN json_array_elements(CAST(:rules AS JSON)) r ON TRUE JOIN json_array_elements_text(r.value -> 'courses') n ON n.value = c.id -- postgres
WHERE coalesce(c.archived, FALSE) OR c._deleted_at IS NOT NULL
GROUP BY c.name
