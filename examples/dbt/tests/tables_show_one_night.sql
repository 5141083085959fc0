-- Fails if a collection failed last night, so that its table is older than the others.
select min(committed_run_began) as oldest, max(committed_run_began) as newest
from {{ source('lms', 'mirror_status') }}
having min(committed_run_began) <> max(committed_run_began) or count(*) <> count(committed_run_began)
