-- title: Who completed which course, and when
-- about: A row for each completion that the service lists. The names of a learner or a course that was deleted are those that
-- about: the mirror read last. They are empty if it deleted the row: `lms mirror --deletes mark` keeps it.
-- needs: learners, courses, course_completions
-- parameter: course course: Only this course, by id or name
-- parameter: learner learner: Only this learner, by id, email address, username or full name
-- parameter: since time: Only completions at this time or later
-- parameter: until time: Only completions before this time
-- parameter: tag tag: Only learners with this tag
-- columns: completed_at time, email, course_name, firstname, surname, learner, learner_deleted boolean, course,
-- columns: course_deleted boolean, undecided, completion
-- order: completed_at, surname, firstname, learner, course, completion
SELECT
    d.id AS completion, d.happened_utc AS completed_at, d."user" AS learner, l.firstname, l.surname, l.email,
    l.id IS NULL OR l._deleted_at IS NOT NULL OR coalesce(l.deleted, FALSE) AS learner_deleted, d.course,
    c.name AS course_name, c.id IS NULL OR c._deleted_at IS NOT NULL AS course_deleted,
    CASE WHEN d.happened_utc IS NULL THEN 'the time of the completion has no time zone, or there is none' END AS undecided
FROM course_completions d
LEFT JOIN learners l ON l.id = d."user"
LEFT JOIN courses c ON c.id = d.course
WHERE d._deleted_at IS NULL
    AND (:course IS NULL OR d.course = :course)
    AND (:learner IS NULL OR d."user" = :learner)
    AND (:since IS NULL OR d.happened_utc IS NULL OR d.happened_utc >= :since)
    AND (:until IS NULL OR d.happened_utc IS NULL OR d.happened_utc < :until)
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :tag)) -- sqlite
    AND (:tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(:tag)) -- postgres
