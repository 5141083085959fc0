-- title: Which values of custom fields expire soon, such as certificates
-- about: The service has no list of these values. To mirror `records` takes a request for each learner and custom field:
-- about: 1,000 learners with 20 fields are 20,000 requests. `lms mirror records` reads them once; --field and --tag choose
-- about: among them.
-- needs: learners, user_fields, records
-- parameter: within ahead = 30d: Only what expires within this time
-- parameter: field field: Only this custom field, by id or name
-- parameter: tag tag: Only learners with this tag
-- parameter: expired flag: Also what has expired already
-- parameter: archived flag: Also learners who are archived
-- column: expires_at time
-- column: email text
-- column: field_name text
-- column: value text
-- column: expired boolean
-- column: firstname text
-- column: surname text
-- column: learner text
-- column: field text
-- column: achieved_at time
-- column: undecided text
-- order: expires_at, surname, firstname, learner, field
SELECT
    r.expires_on_utc AS expires_at, r.expires_on_utc < :at AS expired, r."user" AS learner, l.firstname, l.surname, l.email,
    r.user_field AS field, f.name AS field_name, r.value, r.achieved_on_utc AS achieved_at,
    CASE WHEN r.expires_on_utc IS NULL THEN 'the time of expiry has no time zone: ' || coalesce(r.expires_on, 'there is none')
    END AS undecided
FROM records r
LEFT JOIN learners l ON l.id = r."user" AND l._deleted_at IS NULL
LEFT JOIN user_fields f ON f.id = r.user_field AND f._deleted_at IS NULL
WHERE r._deleted_at IS NULL AND coalesce(r.has_value, TRUE) AND NOT coalesce(r.not_applicable, FALSE)
    AND (r.expires_on_utc < :within OR r.expires_on_utc IS NULL AND (r.expires_on <> '' OR r.expires))
    AND (:expired OR r.expires_on_utc IS NULL OR r.expires_on_utc >= :at)
    AND (:field IS NULL OR r.user_field = :field OR lower(trim(f.name)) = lower(:field))
    AND (:archived OR NOT (coalesce(l.archived, FALSE) OR coalesce(l.deleted, FALSE)))
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags) WHERE type = 'text' AND value = :tag)) -- sqlite
    AND (:tag IS NULL OR CAST(l.tags AS JSONB) @> to_jsonb(:tag)) -- postgres
