-- facts: rule integer, learner, firstname, surname, email, course, course_name, unclear, percent integer, enrolment, completion, certificate
-- facts: joined_utc time, joined, enrolled_utc time, enrolled, completed_utc time, completed, begun_utc time, begun boolean
-- facts: course_due time, due_seconds integer, renewal_days integer, renewal_date time, due_text, renewal_text, expires_utc time, expires, invalid integer
SELECT
    r.rule, r.learner, l.firstname, l.surname, l.email, l.created_utc AS joined_utc, l.created AS joined,
    r.course, c.name AS course_name,
    CASE WHEN d."user" IS NOT NULL THEN 100
        WHEN t.topics > 0 AND p.topics < t.topics THEN p.topics * 100 / t.topics
        WHEN p.topics > 0 THEN 100 ELSE 0 END AS percent,
    CASE WHEN c.auto_due_type = 'none' THEN NULL ELSE c.auto_due_date_utc END AS course_due,
    CASE WHEN c.auto_due_type = 'none' THEN NULL ELSE coalesce(c._extra ->> 'auto_due_seconds', c._extra ->> 'auto_due_date', c.auto_due_date) END AS due_text,
    CASE WHEN c.auto_due_type = 'none' THEN NULL WHEN c.auto_due_seconds BETWEEN 1 AND 94608000000 THEN c.auto_due_seconds END AS due_seconds,
    CASE WHEN c.renewal_type = 'none' THEN NULL WHEN c.renewal_days BETWEEN 1 AND 1095000 THEN c.renewal_days END AS renewal_days,
    CASE WHEN c.renewal_type = 'none' OR trim(c._extra ->> 'renewal_days') <> '' THEN NULL ELSE c.renewal_date_utc END AS renewal_date,
    CASE WHEN c.renewal_type = 'none' THEN NULL ELSE coalesce(nullif(trim(c._extra ->> 'renewal_days'), ''), c._extra ->> 'renewal_date', c.renewal_date) END AS renewal_text,
    CASE WHEN trim(coalesce(l._extra ->> 'archived', l._extra ->> 'deleted')) <> '' THEN 'it is not known whether the learner is archived'
        WHEN trim(c._extra ->> 'archived') <> '' THEN 'it is not known whether the course is archived' END AS unclear,
    e.id AS enrolment, e.at_utc AS enrolled_utc, e.at AS enrolled,
    (SELECT max(x.id) FROM course_completions x WHERE x."user" = r.learner AND x.course = r.course AND x._deleted_at IS NULL
        AND coalesce(x.happened, '') = coalesce(d.at, '')) AS completion,
    d.at_utc AS completed_utc, d.at AS completed, p.at_utc AS begun_utc, p."user" IS NOT NULL AS begun,
    CAST(NULL AS TEXT) AS certificate, NULL AS expires_utc, CAST(NULL AS TEXT) AS expires, 0 AS invalid /* without fields */ -- sqlite
    CAST(NULL AS TEXT) AS certificate, CAST(NULL AS TIMESTAMPTZ) AS expires_utc, CAST(NULL AS TEXT) AS expires, 0 AS invalid /* without fields */ -- postgres
    f.id AS certificate, f.at_utc AS expires_utc, f.at AS expires, f.invalid /* with fields */
FROM pairs r
LEFT JOIN courses c ON c.id = r.course AND c._deleted_at IS NULL
LEFT JOIN learners l ON l.id = r.learner AND l._deleted_at IS NULL
LEFT JOIN (SELECT "user", course, min(id) AS id, min(created_utc) AS at_utc, min(created) AS at FROM enrolments
    WHERE _deleted_at IS NULL GROUP BY "user", course) e ON e."user" = r.learner AND e.course = r.course
LEFT JOIN (SELECT "user", course, max(happened_utc) AS at_utc, max(happened) AS at FROM course_completions
    WHERE _deleted_at IS NULL GROUP BY "user", course) d ON d."user" = r.learner AND d.course = r.course
LEFT JOIN (SELECT "user", course, min(completed_on_utc) AS at_utc, count(*) AS topics FROM topic_progress
    WHERE completed AND _deleted_at IS NULL GROUP BY "user", course) p ON p."user" = r.learner AND p.course = r.course
LEFT JOIN (SELECT course, count(*) AS topics FROM topics WHERE _deleted_at IS NULL GROUP BY course) t ON t.course = r.course
LEFT JOIN (SELECT "user", user_field, max(id) AS id, max(expires_on_utc) AS at_utc, max(CASE WHEN trim(expires_on) <> '' THEN expires_on WHEN expires OR trim(coalesce(_extra ->> 'expires', _extra ->> 'expires_on')) <> '' THEN '?' END) AS at, /* with fields */
    max(CASE WHEN NOT valid OR expired OR upcoming OR trim(coalesce(_extra ->> 'valid', _extra ->> 'expired', _extra ->> 'upcoming')) <> '' THEN 1 ELSE 0 END) AS invalid FROM records /* with fields */
    WHERE _deleted_at IS NULL AND coalesce(has_value, TRUE) AND NOT coalesce(not_applicable, FALSE) /* with fields */
    GROUP BY "user", user_field) f ON f."user" = r.learner AND f.user_field = r.certificate /* with fields */
