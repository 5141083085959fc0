-- title: Where each learner stands in each course, and since when
-- about: A completion that has to be renewed is expired from that time on.
-- needs: learners, courses, topics, enrolments, topic_progress, course_completions
-- parameter: course course: Only this course, by id or name
-- parameter: learner learner: Only this learner, by id, email address, username or full name
-- parameter: tag tag: Only learners with this tag
-- parameter: archived flag: Also learners and courses that are archived
-- columns: email, status, percent integer, course_name, since time, firstname, surname, learner, course
-- columns: expires_at time, undecided
-- objects: learner, course
-- order: surname, firstname, learner, course_name, course
WITH v AS MATERIALIZED (
    -- Each value of the view is computed once for a row, and not for each place that uses it.
    SELECT
        learner, firstname, surname, email, course, course_name, enrolled_at, completed_at, topics, topics_completed,
        expires_at, incomplete_because, status
    FROM learner_course_status
    WHERE (:course IS NULL OR course = :course)
        AND (:learner IS NULL OR learner = :learner)
        AND (:archived OR NOT (learner_archived OR course_archived))
        AND (:tag IS NULL OR learner IN (SELECT l.id FROM learners l, json_each(l.tags) t WHERE t.type = 'text' AND t.value = :tag)) -- sqlite
        AND (:tag IS NULL OR learner IN (SELECT l.id FROM learners l WHERE CAST(l.tags AS JSONB) @> to_jsonb(:tag))) -- postgres
)
SELECT
    v.learner, v.firstname, v.surname, v.email, v.course, v.course_name, v.expires_at, v.incomplete_because AS undecided,
    CASE
        WHEN v.status = 'completed' AND v.expires_at < :at THEN 'expired'
        WHEN v.status = 'not completed' THEN 'not started'
        ELSE v.status
    END AS status,
    CASE
        WHEN v.status = 'completed' THEN 100
        WHEN v.topics > 0 AND v.topics_completed < v.topics THEN v.topics_completed * 100 / v.topics
        WHEN v.topics_completed > 0 THEN 100
        ELSE 0
    END AS percent,
    CASE
        WHEN v.status = 'completed' AND v.expires_at < :at THEN v.expires_at
        WHEN v.status = 'completed' THEN v.completed_at
        WHEN v.status = 'not completed' THEN v.enrolled_at
        ELSE (SELECT min(p.completed_on_utc) FROM topic_progress p
            WHERE p."user" = v.learner AND p.course = v.course AND p.completed AND p._deleted_at IS NULL)
    END AS since
FROM v
-- left out: people who are not enrolled, so that nothing is known about them here
SELECT count(*) AS n FROM learners l
WHERE l._deleted_at IS NULL AND NOT (coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE))
    AND NOT EXISTS (SELECT 1 FROM enrolments e
        WHERE e."user" = l.id AND e._deleted_at IS NULL AND (:course IS NULL OR e.course = :course))
    AND (:learner IS NULL OR l.id = :learner)
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :tag)) -- sqlite
    AND (:tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(:tag)) -- postgres
