-- title: Who completed which course, and when
-- needs: learners, courses, course_completions
-- parameter: course course: Only this course, by id or name
-- parameter: since time: Only completions at this time or later
-- parameter: until time: Only completions before this time
-- parameter: tag tag: Only learners with this tag
-- column: completed_at time
-- column: email text
-- column: course_name text
-- column: firstname text
-- column: surname text
-- column: learner text
-- column: course text
-- column: undecided text
-- column: completion text
-- order: completed_at, surname, firstname, learner, course, completion
SELECT
    d.id AS completion, d.happened_utc AS completed_at, d."user" AS learner, l.firstname, l.surname, l.email,
    d.course, c.name AS course_name,
    CASE WHEN d.happened_utc IS NULL THEN 'the time of the completion has no time zone, or there is none' END AS undecided
FROM course_completions d
LEFT JOIN learners l ON l.id = d."user" AND l._deleted_at IS NULL
LEFT JOIN courses c ON c.id = d.course AND c._deleted_at IS NULL
WHERE d._deleted_at IS NULL
    AND (:course IS NULL OR d.course = :course OR lower(trim(c.name)) = lower(:course))
    AND (:since IS NULL OR d.happened_utc IS NULL OR d.happened_utc >= :since)
    AND (:until IS NULL OR d.happened_utc IS NULL OR d.happened_utc < :until)
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :tag)) -- sqlite
    AND (:tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(:tag)) -- postgres
