-- title: Who is past the due date of a course, or enrolled in it for long
-- about: Counted from the due date of the course, or else from the end of --for after the enrolment.
-- needs: learners, courses, enrolments, course_completions
-- parameter: for ago = 30d: Also without a due date that has passed, if enrolled for longer than this
-- parameter: course course: Only this course, by id or name
-- parameter: tag tag: Only learners with this tag
-- parameter: archived flag: Also learners and courses that are archived
-- columns: due_at time, days_overdue integer, email, course_name, reason, firstname, surname, learner, course
-- columns: enrolled_at time, undecided
-- order: days_overdue desc, surname, firstname, learner, course
WITH known AS (
    SELECT v.*, coalesce(v.due_at IS NULL AND coalesce(c.auto_due_type, '') <> 'none'
            AND trim(coalesce(c._extra ->> 'auto_due_seconds', c._extra ->> 'auto_due_date', c.auto_due_date)) <> '', FALSE) AS has_no_due,
        CASE WHEN trim(coalesce(l._extra ->> 'archived', l._extra ->> 'deleted')) <> '' THEN 'it is not known whether the learner is archived'
            WHEN trim(c._extra ->> 'archived') <> '' THEN 'it is not known whether the course is archived' END AS unclear
    FROM learner_course_status v
    JOIN learners l ON l.id = v.learner AND l._deleted_at IS NULL
    JOIN courses c ON c.id = v.course AND c._deleted_at IS NULL
    WHERE v.status <> 'completed'
)
SELECT
    v.learner, v.firstname, v.surname, v.email, v.course, v.course_name, v.enrolled_at, v.due_at,
    CASE WHEN v.due_at < :at THEN unixepoch(:at) - unixepoch(v.due_at) -- sqlite
        WHEN v.enrolled_at < :for THEN unixepoch(:for) - unixepoch(v.enrolled_at) END / 86400 AS days_overdue, -- sqlite
    floor(extract(epoch FROM CASE WHEN v.due_at < :at THEN :at - v.due_at WHEN v.enrolled_at < :for THEN :for - v.enrolled_at END) / 86400) AS days_overdue, -- postgres
    CASE WHEN v.due_at < :at THEN 'past the due date' WHEN v.enrolled_at < :for THEN 'enrolled for long' END AS reason,
    CASE WHEN v.unclear IS NOT NULL THEN v.unclear WHEN v.due_at < :at THEN NULL WHEN v.has_no_due THEN 'the due date of the course is not known'
        WHEN v.enrolled_at IS NULL THEN 'the time of the enrolment has no time zone, or there is none' END AS undecided
FROM known v
WHERE (v.due_at < :at OR v.enrolled_at IS NULL OR v.enrolled_at < :for OR v.has_no_due)
    AND (:course IS NULL OR v.course = :course)
    AND (:archived OR NOT (v.learner_archived OR v.course_archived))
    AND (:tag IS NULL OR v.learner IN (SELECT l.id FROM learners l, json_each(l.tags) t WHERE t.type = 'text' AND t.value = :tag)) -- sqlite
    AND (:tag IS NULL OR v.learner IN (SELECT l.id FROM learners l WHERE CAST(l.tags AS JSONB) @> to_jsonb(:tag))) -- postgres
-- left out: enrolments whose learner or course was deleted, or is not in the list of all
SELECT count(*) AS n FROM enrolments e
WHERE e._deleted_at IS NULL AND :tag IS NULL AND (:course IS NULL OR e.course = :course)
    AND (NOT EXISTS (SELECT 1 FROM learners l WHERE l.id = e."user" AND l._deleted_at IS NULL)
        OR NOT EXISTS (SELECT 1 FROM courses c WHERE c.id = e.course AND c._deleted_at IS NULL))
-- left out: people who are not enrolled, so that nothing is known about them here
SELECT count(*) AS n FROM learners l
WHERE l._deleted_at IS NULL AND NOT (coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE))
    AND NOT EXISTS (SELECT 1 FROM enrolments e
        WHERE e."user" = l.id AND e._deleted_at IS NULL AND (:course IS NULL OR e.course = :course))
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :tag)) -- sqlite
    AND (:tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(:tag)) -- postgres
