-- title: Which completions have to be renewed soon
-- about: The time follows from renewal_days or renewal_date of the course. Values of custom fields: expiring-records.
-- needs: learners, courses, enrolments, course_completions
-- parameter: within ahead = 30d: Only what expires within this time
-- parameter: course course: Only this course, by id or name
-- parameter: tag tag: Only learners with this tag
-- parameter: expired flag: Also what has expired already
-- parameter: archived flag: Also learners and courses that are archived
-- columns: expires_at time, email, course_name, expired boolean, firstname, surname, learner, course
-- columns: completed_at time, undecided
-- order: expires_at, surname, firstname, learner, course
WITH known AS (
    SELECT v.learner, v.firstname, v.surname, v.email, v.course, v.course_name, v.completed_at, v.learner_archived, v.course_archived,
        CASE WHEN trim(c._extra ->> 'renewal_days') <> '' THEN NULL ELSE v.expires_at END AS expires_at,
        coalesce(coalesce(v.renewal_type, '') <> 'none' AND (trim(c._extra ->> 'renewal_days') <> '' OR v.expires_at IS NULL
            AND (v.completed_at IS NULL AND c.renewal_days > 0
                OR coalesce(c.renewal_days, 0) <= 0 AND trim(coalesce(c._extra ->> 'renewal_date', c.renewal_date)) <> '')), FALSE) AS has_no_end,
        CASE WHEN trim(coalesce(l._extra ->> 'archived', l._extra ->> 'deleted')) <> '' THEN 'it is not known whether the learner is archived'
            WHEN trim(c._extra ->> 'archived') <> '' THEN 'it is not known whether the course is archived' END AS unclear
    FROM learner_course_status v
    JOIN learners l ON l.id = v.learner AND l._deleted_at IS NULL
    JOIN courses c ON c.id = v.course AND c._deleted_at IS NULL
    WHERE v.status = 'completed'
)
SELECT
    v.expires_at, v.expires_at < :at AS expired, v.learner, v.firstname, v.surname, v.email, v.course, v.course_name,
    v.completed_at,
    CASE WHEN v.has_no_end AND v.completed_at IS NULL THEN 'the time of the completion has no time zone, or there is none'
        WHEN v.has_no_end THEN 'the renewal of the course is not known' ELSE v.unclear END AS undecided
FROM known v
WHERE (v.expires_at < :within OR v.has_no_end)
    AND (:expired OR v.has_no_end OR v.expires_at >= :at)
    AND (:course IS NULL OR v.course = :course)
    AND (:archived OR NOT (v.learner_archived OR v.course_archived))
    AND (:tag IS NULL OR v.learner IN (SELECT l.id FROM learners l, json_each(l.tags) t WHERE t.type = 'text' AND t.value = :tag)) -- sqlite
    AND (:tag IS NULL OR v.learner IN (SELECT l.id FROM learners l WHERE CAST(l.tags AS JSONB) @> to_jsonb(:tag))) -- postgres
-- refused: the course has neither renewal days nor a renewal date, so its completions do not expire
SELECT count(*) AS n FROM courses c
WHERE c.id = :course AND (c.renewal_type = 'none'
    OR coalesce(c.renewal_days, 0) <= 0 AND trim(coalesce(c._extra ->> 'renewal_days', c._extra ->> 'renewal_date', c.renewal_date, '')) = '')
-- refused: the renewal date of the course has no time zone, or is no date, so when completions expire cannot be told; `lms mirror --time-zone` sets it
SELECT count(*) AS n FROM courses c
WHERE c.id = :course AND coalesce(c.renewal_days, 0) <= 0 AND c.renewal_date <> '' AND c.renewal_date_utc IS NULL
-- left out: enrolments whose learner or course was deleted, or is not in the list of all
SELECT count(*) AS n FROM enrolments e
WHERE e._deleted_at IS NULL AND :tag IS NULL AND (:course IS NULL OR e.course = :course)
    AND (NOT EXISTS (SELECT 1 FROM learners l WHERE l.id = e."user" AND l._deleted_at IS NULL)
        OR NOT EXISTS (SELECT 1 FROM courses c WHERE c.id = e.course AND c._deleted_at IS NULL))
