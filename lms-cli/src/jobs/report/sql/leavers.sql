-- title: Who has an account and is not in a list of people any more
-- about: A learner is in the list if a row has the same id, email address, username or sso_id, of those columns that the file
-- about: has. Upper and lower case of ASCII letters count as the same. A learner who has none of these values is listed as
-- about: undecided.
-- needs: learners
-- parameter: against people: CSV, NDJSON or .xlsx with the people who are still there, with a column id, email, username or sso_id
-- parameter: tag tag: Only learners with this tag
-- parameter: admins flag: Also administrators
-- columns: email, username, last_logged_in_at time, undecided, firstname, surname, learner, sso_id, is_admin boolean
-- order: surname, firstname, learner
WITH people AS MATERIALIZED (
    SELECT DISTINCT lower(trim(p.value ->> 'id')) AS id, lower(trim(p.value ->> 'email')) AS email,
        lower(trim(p.value ->> 'username')) AS username, lower(trim(p.value ->> 'sso_id')) AS sso_id
    FROM json_each(:against) p -- sqlite
    FROM json_array_elements(CAST(:against AS JSON)) p -- postgres
),
known AS MATERIALIZED (
    SELECT 'id' AS field, id AS text FROM people WHERE id <> ''
    UNION SELECT 'email', email FROM people WHERE email <> ''
    UNION SELECT 'username', username FROM people WHERE username <> ''
    UNION SELECT 'sso_id', sso_id FROM people WHERE sso_id <> ''
),
own AS (
    SELECT id, 'id' AS field, lower(id) AS text FROM learners
    UNION ALL SELECT id, 'email', lower(trim(email)) FROM learners WHERE trim(email) <> ''
    UNION ALL SELECT id, 'username', lower(trim(username)) FROM learners WHERE trim(username) <> ''
    UNION ALL SELECT id, 'sso_id', lower(trim(sso_id)) FROM learners WHERE trim(sso_id) <> ''
)
SELECT
    l.id AS learner, l.firstname, l.surname, l.email, l.username, l.sso_id, coalesce(l.is_admin, FALSE) AS is_admin,
    l.last_logged_in_utc AS last_logged_in_at,
    CASE WHEN trim(coalesce(l._extra ->> 'archived', l._extra ->> 'deleted', l._extra ->> 'is_admin')) <> ''
        THEN 'it is not known whether the learner is archived, or an administrator'
        WHEN l.id NOT IN (SELECT o.id FROM own o WHERE o.field IN (SELECT k.field FROM known k))
        THEN 'the learner has no value in the columns of the file' END AS undecided
FROM learners l
WHERE l._deleted_at IS NULL AND NOT (coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE))
    AND l.id NOT IN (SELECT o.id FROM own o JOIN known k ON k.field = o.field AND k.text = o.text)
    AND (:admins OR NOT coalesce(l.is_admin, FALSE))
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :tag)) -- sqlite
    AND (:tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(:tag)) -- postgres
-- left out: rows of the file that are no learner here, the first in {names}
WITH people AS (
    SELECT p.value AS person FROM json_each(:against) p -- sqlite
    SELECT p.value AS person FROM json_array_elements(CAST(:against AS JSON)) p -- postgres
),
unknown AS (
    SELECT CAST(person ->> 'line' AS INTEGER) AS line FROM people
    WHERE coalesce(lower(trim(person ->> 'id')), '') NOT IN (SELECT lower(id) FROM learners)
        AND coalesce(lower(trim(person ->> 'email')), '') NOT IN (SELECT lower(trim(email)) FROM learners WHERE trim(email) <> '')
        AND coalesce(lower(trim(person ->> 'username')), '')
            NOT IN (SELECT lower(trim(username)) FROM learners WHERE trim(username) <> '')
        AND coalesce(lower(trim(person ->> 'sso_id')), '') NOT IN (SELECT lower(trim(sso_id)) FROM learners WHERE trim(sso_id) <> '')
)
SELECT count(*) AS n,
    (SELECT string_agg('line ' || line, ', ') FROM (SELECT line FROM unknown ORDER BY line LIMIT 10) l) AS name
FROM unknown
-- refused: nobody in the file is a learner here, so it may be a list of other people
SELECT 1 - count(*) AS n FROM (SELECT 1 AS one) o WHERE EXISTS (
    WITH people AS (
        SELECT p.value AS person FROM json_each(:against) p -- sqlite
        SELECT p.value AS person FROM json_array_elements(CAST(:against AS JSON)) p -- postgres
    )
    SELECT 1 FROM learners l
    WHERE lower(l.id) IN (SELECT lower(trim(person ->> 'id')) FROM people)
        OR lower(trim(l.email)) IN (SELECT lower(trim(person ->> 'email')) FROM people)
        OR lower(trim(l.username)) IN (SELECT lower(trim(person ->> 'username')) FROM people)
        OR lower(trim(l.sso_id)) IN (SELECT lower(trim(person ->> 'sso_id')) FROM people)
)
