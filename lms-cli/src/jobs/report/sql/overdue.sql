-- title: Who is past the due date of a course, or enrolled in it for long
-- needs: learners, courses, enrolments, course_completions
-- parameter: for ago = 30d: Also without a due date that has passed, if enrolled for longer than this
-- parameter: course course: Only this course, by id or name
-- parameter: tag tag: Only learners with this tag
-- parameter: archived flag: Also learners and courses that are archived
-- column: due_at time
-- column: days integer
-- column: email text
-- column: course_name text
-- column: reason text
-- column: firstname text
-- column: surname text
-- column: learner text
-- column: course text
-- column: enrolled_at time
-- column: undecided text
-- order: enrolled_at, surname, firstname, learner, course
SELECT
    v.learner, v.firstname, v.surname, v.email, v.course, v.course_name, v.enrolled_at, v.due_at,
    (unixepoch(:at) - unixepoch(v.enrolled_at)) / 86400 AS days, -- sqlite
    floor(extract(epoch FROM :at - v.enrolled_at) / 86400) AS days, -- postgres
    CASE WHEN v.due_at < :at THEN 'past the due date' WHEN v.enrolled_at < :for THEN 'enrolled for long' END AS reason,
    CASE WHEN v.due_at < :at THEN NULL WHEN v.enrolled_at IS NULL THEN 'the time of the enrolment has no time zone, or there is none' END AS undecided
FROM learner_course_status v
WHERE v.status <> 'completed'
    AND (v.due_at < :at OR v.enrolled_at IS NULL OR v.enrolled_at < :for)
    AND (:course IS NULL OR v.course = :course OR lower(trim(v.course_name)) = lower(:course))
    AND (:archived OR NOT (v.learner_archived OR v.course_archived))
    AND (:tag IS NULL OR v.learner IN (SELECT l.id FROM learners l, json_each(l.tags) t WHERE t.type = 'text' AND t.value = :tag)) -- sqlite
    AND (:tag IS NULL OR v.learner IN (SELECT l.id FROM learners l WHERE CAST(l.tags AS JSONB) @> to_jsonb(:tag))) -- postgres
