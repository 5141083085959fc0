-- title: Who has not logged in for long
-- about: A learner without a time of the last login may never have logged in, or the service did not keep the time. Such a
-- about: learner is listed with the reason in `undecided`, unless the account was created less than --for ago.
-- needs: learners
-- parameter: for ago = 90d: Not logged in for longer than this
-- parameter: tag tag: Only learners with this tag
-- parameter: archived flag: Also learners who are archived
-- columns: days_inactive integer, email, last_logged_in_at time, undecided, firstname, surname, learner, created_at time
-- order: last_logged_in_at, created_at, surname, firstname, learner
SELECT
    l.id AS learner, l.firstname, l.surname, l.email, l.last_logged_in_utc AS last_logged_in_at, l.created_utc AS created_at,
    (unixepoch(:at) - unixepoch(l.last_logged_in_utc)) / 86400 AS days_inactive, -- sqlite
    floor(extract(epoch FROM :at - l.last_logged_in_utc) / 86400) AS days_inactive, -- postgres
    CASE
        WHEN trim(coalesce(l._extra ->> 'archived', l._extra ->> 'deleted')) <> '' THEN 'it is not known whether the learner is archived'
        WHEN l.last_logged_in_utc IS NOT NULL THEN NULL
        WHEN l.last_logged_in <> '' THEN 'the time of the last login has no time zone: ' || l.last_logged_in
        ELSE 'no login is recorded'
    END AS undecided
FROM learners l
WHERE l._deleted_at IS NULL
    AND (l.last_logged_in_utc < :for
        OR l.last_logged_in_utc IS NULL AND (l.created_utc IS NULL OR l.created_utc < :for))
    AND (:archived OR NOT (coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE)))
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :tag)) -- sqlite
    AND (:tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(:tag)) -- postgres
