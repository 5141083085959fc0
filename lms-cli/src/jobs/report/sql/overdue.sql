-- title: Who has been enrolled for long without completing the course
-- needs: learners, courses, enrolments, course_completions
-- parameter: for ago = 30d: Enrolled for longer than this
-- parameter: course text: Only this course, by id or name
-- parameter: tag text: Only learners with this tag
-- parameter: archived flag: Also learners and courses that are archived
-- column: days integer
-- column: learner text
-- column: firstname text
-- column: surname text
-- column: email text
-- column: course text
-- column: course_name text
-- column: enrolled_at time
-- column: due_at time
-- column: undecided text
-- order: enrolled_at, surname, firstname, learner, course
SELECT
    v.learner, v.firstname, v.surname, v.email, v.course, v.course_name, v.enrolled_at, v.due_at,
    (unixepoch(:at) - unixepoch(v.enrolled_at)) / 86400 AS days, -- sqlite
    floor(extract(epoch FROM :at - v.enrolled_at) / 86400) AS days, -- postgres
    CASE WHEN v.enrolled_at IS NULL THEN 'the time of the enrolment has no time zone, or there is none' END AS undecided
FROM learner_course_status v
WHERE v.status <> 'completed'
    AND (v.enrolled_at IS NULL OR v.enrolled_at < :for)
    AND (:course IS NULL OR v.course = :course OR v.course_name = :course)
    AND (:archived OR NOT (v.learner_archived OR v.course_archived))
    AND (:tag IS NULL OR v.learner IN (SELECT l.id FROM learners l, json_each(l.tags) t WHERE t.type = 'text' AND t.value = :tag)) -- sqlite
    AND (:tag IS NULL OR v.learner IN (SELECT l.id FROM learners l WHERE CAST(l.tags AS JSONB) @> to_jsonb(:tag))) -- postgres
