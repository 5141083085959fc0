-- title: Who seems to have more than one account
-- about: A row for each account and reason. Accounts with the same `reason` and `matched` belong together. Upper and lower
-- about: case of ASCII letters count as the same, and so do spaces, dashes, dots, slashes and brackets in a phone number.
-- needs: learners
-- parameter: reason email | name and phone | sso_id: Only this reason: email, "name and phone" or sso_id
-- columns: reason, matched, email, learner, firstname, surname, phone_number, sso_id, archived boolean
-- columns: created_at time, last_logged_in_at time
-- order: reason, matched, created_at, learner
WITH live AS (
    SELECT *, lower(trim(firstname)) || ' ' || lower(trim(surname)) AS name,
        replace(replace(replace(replace(replace(replace(replace(phone_number, ' ', ''), '-', ''), '.', ''), '/', ''), '(', ''), ')', ''), '+', '00') AS phone
    FROM learners
    WHERE _deleted_at IS NULL AND NOT coalesce(deleted, FALSE)
),
keys AS (
    SELECT id, 'email' AS reason, lower(trim(email)) AS matched FROM live WHERE trim(email) <> ''
    UNION ALL
    SELECT id, 'name and phone', name || ', ' || phone FROM live WHERE trim(name) <> '' AND phone <> ''
    UNION ALL
    SELECT id, 'sso_id', sso_id FROM live WHERE trim(sso_id) <> ''
),
repeated AS (
    SELECT reason, matched FROM keys GROUP BY reason, matched HAVING count(*) > 1
)
SELECT
    k.reason, k.matched, l.id AS learner, l.firstname, l.surname, l.email, l.phone_number, l.sso_id,
    coalesce(l.archived, FALSE) AS archived, l.created_utc AS created_at, l.last_logged_in_utc AS last_logged_in_at
FROM repeated r
JOIN keys k ON k.reason = r.reason AND k.matched = r.matched
JOIN live l ON l.id = k.id
WHERE :reason IS NULL OR k.reason = :reason
