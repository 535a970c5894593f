-- Ids of a kind, numbered, and times in the order of numbers. Triggers are off: what they write is written here as well.
SET session_replication_role = replica;
SET synchronous_commit = off;
SET maintenance_work_mem = '512MB';

CREATE FUNCTION pg_temp.id(prefix text, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT prefix || '_01' || lpad(to_hex(n), 24, '0') $$;

CREATE FUNCTION pg_temp.at(n bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
$$ SELECT timestamptz '2026-01-01T00:00:00Z' + n * interval '1.007 seconds' $$;

-- A person of the organization. Few things concern the second and third of them, whatever the size: 50 in all.
CREATE FUNCTION pg_temp.person(n bigint, total bigint, members bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT pg_temp.id('usr', CASE WHEN n % greatest(total / 50, 1) = 0 THEN 2 + n / greatest(total / 50, 1) % 2 WHEN n % 2 = 0 THEN 1 ELSE 5 + n % (members - 5) END) $$;

-- Many rows go in faster without indexes, which are made again as a whole: all but those that keep rows apart.
CREATE TEMPORARY TABLE dropped AS SELECT c.oid::regclass::text AS name, pg_get_indexdef(c.oid) AS definition
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
WHERE t.relname IN ('tasks', 'process_runs', 'approvals', 'approvers', 'form_submissions', 'events', 'notifications', 'search_entries',
  'memberships', 'project_members', 'folders', 'group_members') AND NOT i.indisunique;

DO $$ BEGIN EXECUTE (SELECT 'DROP INDEX ' || string_agg(name, ', ') FROM dropped); END $$;
