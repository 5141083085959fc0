-- title: Where each learner stands in each course, and since when
-- about: It has a row for each person and course with an enrolment or a completion, in the states of `required`. They follow
-- about: from the due date and the renewal of the course. Durations of `required` are those of its rules.
-- needs: learners, courses, topics, enrolments, topic_progress, course_completions
-- parameter: course course: Only this course, by id or name
-- parameter: learner learner: Only this learner, by id, email address, username or full name
-- parameter: tag tag: Only learners with this tag
-- parameter: state not_enrolled | not_started | in_progress | overdue | expires_soon | done: Only people in this state
-- parameter: archived flag: Also learners and courses that are archived
-- columns: email, state, percent integer, course_name, due_at time, since time, firstname, surname, learner, course
-- columns: evidence, undecided
-- order: surname, firstname, learner, course_name, course
WITH pairs AS (
    SELECT 0 AS rule, e.learner, e.course, CAST(NULL AS TEXT) AS certificate
    FROM (SELECT "user" AS learner, course FROM enrolments WHERE _deleted_at IS NULL
        UNION SELECT "user", course FROM course_completions WHERE _deleted_at IS NULL) e
    JOIN learners l ON l.id = e.learner AND l._deleted_at IS NULL
    JOIN courses c ON c.id = e.course AND c._deleted_at IS NULL
    WHERE (:course IS NULL OR e.course = :course)
        AND (:learner IS NULL OR e.learner = :learner)
        AND (:archived OR NOT (coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE) OR coalesce(c.archived, FALSE)))
        AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :tag)) -- sqlite
        AND (:tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(:tag)) -- postgres
)
{facts}
-- left out: people who are not enrolled, so that nothing is known about them here
SELECT count(*) AS n FROM learners l
WHERE l._deleted_at IS NULL AND NOT (coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE))
    AND NOT EXISTS (SELECT 1 FROM enrolments e
        WHERE e."user" = l.id AND e._deleted_at IS NULL AND (:course IS NULL OR e.course = :course))
    AND NOT EXISTS (SELECT 1 FROM course_completions d
        WHERE d."user" = l.id AND d._deleted_at IS NULL AND (:course IS NULL OR d.course = :course))
    AND (:learner IS NULL OR l.id = :learner)
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :tag)) -- sqlite
    AND (:tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(:tag)) -- postgres
-- left out: enrolments and completions whose learner or course was deleted, or is not in the list of all
SELECT count(*) AS n
FROM (SELECT "user" AS learner, course FROM enrolments WHERE _deleted_at IS NULL
    UNION SELECT "user", course FROM course_completions WHERE _deleted_at IS NULL) e
WHERE :tag IS NULL AND (:course IS NULL OR e.course = :course) AND (:learner IS NULL OR e.learner = :learner)
    AND (NOT EXISTS (SELECT 1 FROM learners l WHERE l.id = e.learner AND l._deleted_at IS NULL)
        OR NOT EXISTS (SELECT 1 FROM courses c WHERE c.id = e.course AND c._deleted_at IS NULL))
