-- title: The enrolments of a learner, for `lms enrolments remove --from`
-- about: The learner is named by email address, or by id if the address is not theirs alone.
-- needs: learners, enrolments
-- parameter: learner text: The id
-- columns: user, course
SELECT
    CASE WHEN l.email LIKE '%@%' AND (SELECT count(*) FROM learners o
        WHERE o._deleted_at IS NULL AND lower(trim(o.email)) = lower(trim(l.email))) = 1 THEN trim(l.email) ELSE l.id END AS "user",
    e.course
FROM enrolments e
JOIN learners l ON l.id = e."user" AND l._deleted_at IS NULL
WHERE e."user" = :learner AND e._deleted_at IS NULL
