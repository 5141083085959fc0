-- title: Where each learner stands in each course, and since when
-- about: A completion that has to be renewed is expired from that time on.
-- needs: learners, courses, topics, enrolments, topic_progress, course_completions
-- parameter: course text: Only this course, by id or name
-- parameter: learner text: Only this learner, by id or email address
-- parameter: tag text: Only learners with this tag
-- parameter: archived flag: Also learners and courses that are archived
-- column: learner text
-- column: firstname text
-- column: surname text
-- column: email text
-- column: course text
-- column: course_name text
-- column: status text
-- column: percent integer
-- column: since time
-- column: expires_at time
-- column: undecided text
-- order: surname, firstname, learner, course_name, course
SELECT
    s.learner, s.firstname, s.surname, s.email, s.course, s.course_name, s.status, s.expires_at, s.undecided,
    CASE WHEN s.status IN ('completed', 'expired') THEN 100
        WHEN s.topics > 0 AND s.topics_completed < s.topics THEN s.topics_completed * 100 / s.topics
        WHEN s.topics_completed > 0 THEN 100
        ELSE 0 END AS percent,
    CASE s.status
        WHEN 'completed' THEN s.completed_at
        WHEN 'expired' THEN s.expires_at
        WHEN 'not started' THEN s.enrolled_at
        ELSE (SELECT min(p.completed_on_utc) FROM topic_progress p
            WHERE p."user" = s.learner AND p.course = s.course AND p.completed AND p._deleted_at IS NULL)
    END AS since
FROM (SELECT
    v.learner, v.firstname, v.surname, v.email, v.course, v.course_name, v.enrolled_at, v.completed_at, v.topics,
    v.topics_completed, v.expires_at, v.incomplete_because AS undecided,
    CASE WHEN v.status = 'completed' AND v.expires_at < :at THEN 'expired'
        WHEN v.status = 'not completed' THEN 'not started'
        ELSE v.status END AS status
FROM learner_course_status v
WHERE (:course IS NULL OR v.course = :course OR v.course_name = :course)
    AND (:learner IS NULL OR v.learner = :learner OR lower(v.email) = lower(:learner))
    AND (:archived OR NOT (v.learner_archived OR v.course_archived))
    AND (:tag IS NULL OR v.learner IN (SELECT l.id FROM learners l, json_each(l.tags) t WHERE t.type = 'text' AND t.value = :tag)) -- sqlite
    AND (:tag IS NULL OR v.learner IN (SELECT l.id FROM learners l WHERE CAST(l.tags AS JSONB) @> to_jsonb(:tag))) -- postgres
) s
