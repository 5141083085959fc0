-- title: A learner, for `lms learners delete --from`
-- about: The learner is named by email address, or by id if the address is not theirs alone.
-- needs: learners
-- parameter: learner text: The id
-- columns: id
SELECT
    CASE WHEN l.email LIKE '%@%' AND (SELECT count(*) FROM learners o
        WHERE o._deleted_at IS NULL AND lower(trim(o.email)) = lower(trim(l.email))) = 1 THEN trim(l.email) ELSE l.id END AS id
FROM learners l
WHERE l.id = :learner AND l._deleted_at IS NULL
