-- title: Which values of custom fields expire soon
-- about: The service has no list of these values, such as certificates. To mirror `records` takes a request for each learner and
-- about: custom field: 1,000 learners with 20 fields are 20,000 requests. With --filter records.user_field=f1, they are 1,000,
-- about: and with --filter records.tags=emea, those of the learners with the tag. Ask such a mirror for the same --field and --tag.
-- needs: learners, user_fields, records
-- parameter: within ahead = 30d: Only what expires within this time
-- parameter: field field: Only this custom field, by id or name
-- parameter: tag tag: Only learners with this tag
-- parameter: expired flag: Also what has expired already
-- parameter: archived flag: Also learners who are archived
-- columns: expires_at time, email, field_name, value, expired boolean, firstname, surname, learner, field
-- columns: achieved_at time, undecided
-- order: expires_at, surname, firstname, learner, field
SELECT
    r.expires_on_utc AS expires_at, coalesce(r.expires_on_utc < :at, FALSE) OR coalesce(r.expired, FALSE) AS expired, r."user" AS learner, l.firstname, l.surname, l.email,
    r.user_field AS field, f.name AS field_name, r.value, r.achieved_on_utc AS achieved_at,
    CASE WHEN trim(coalesce(l._extra ->> 'archived', l._extra ->> 'deleted')) <> '' THEN 'it is not known whether the learner is archived'
        WHEN r.expired AND coalesce(r.expires_on_utc >= :at, TRUE) THEN 'the service says that it has expired'
        WHEN r.expires_on_utc IS NULL THEN 'the time of expiry has no time zone: ' || coalesce(r.expires_on, 'there is none')
    END AS undecided
FROM records r
JOIN learners l ON l.id = r."user" AND l._deleted_at IS NULL
JOIN user_fields f ON f.id = r.user_field AND f._deleted_at IS NULL
WHERE r._deleted_at IS NULL AND coalesce(r.has_value, TRUE) AND NOT coalesce(r.not_applicable, FALSE)
    AND (r.expires_on_utc < :within OR r.expired OR r.expires_on_utc IS NULL
        AND (r.expires_on <> '' OR r.expires OR trim(coalesce(r._extra ->> 'expires', r._extra ->> 'expires_on')) <> ''))
    AND (:expired OR r.expires_on_utc IS NULL OR r.expires_on_utc >= :at)
    AND (:field IS NULL OR r.user_field = :field)
    AND (:archived OR NOT (coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE)))
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :tag)) -- sqlite
    AND (:tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(:tag)) -- postgres
-- left out: values whose learner or field was deleted, or is not in the list of all
SELECT count(*) AS n FROM records r
WHERE r._deleted_at IS NULL AND coalesce(r.has_value, TRUE) AND NOT coalesce(r.not_applicable, FALSE)
    AND :tag IS NULL AND (:field IS NULL OR r.user_field = :field)
    AND (NOT EXISTS (SELECT 1 FROM learners l WHERE l.id = r."user" AND l._deleted_at IS NULL)
        OR NOT EXISTS (SELECT 1 FROM user_fields f WHERE f.id = r.user_field AND f._deleted_at IS NULL))
