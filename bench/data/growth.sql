-- Ten thousand times as much around it: a project of 1,000,000 documents, an organization of 10,000 projects and
-- 5,000 members. The first organization stays as it is.
SET session_replication_role = replica;
SET synchronous_commit = off;
SET maintenance_work_mem = '512MB';

CREATE FUNCTION pg_temp.id(prefix text, kind int, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT prefix || '_01' || lpad(to_hex(kind), 4, '0') || lpad(to_hex(n), 20, '0') $$;

CREATE FUNCTION pg_temp.at(n bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
$$ SELECT timestamptz '2026-01-01T00:00:00Z' + n * interval '1.007 seconds' $$;

-- Many rows go in faster without indexes, which are made again as a whole: all but those that keep rows apart.
CREATE TEMPORARY TABLE dropped AS SELECT c.oid::regclass::text AS name, pg_get_indexdef(c.oid) AS definition
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid IN ('documents'::regclass, 'revisions'::regclass, 'search_entries'::regclass) AND NOT i.indisunique;

DO $$ BEGIN EXECUTE (SELECT 'DROP INDEX ' || string_agg(name, ', ') FROM dropped); END $$;

INSERT INTO users (id, email, name, created_at)
SELECT pg_temp.id('usr', 0, n), 'person' || n || '@example.test', 'Person Number ' || n, pg_temp.at(n)
FROM generate_series(51, 5000) n;

INSERT INTO organizations (id, name, name_key, created_by_id, created_at)
VALUES (pg_temp.id('org', 0, 3), 'Northwind', 'northwind', pg_temp.id('usr', 0, 1), pg_temp.at(3));

INSERT INTO memberships (organization_id, id, user_id, role, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 0, 3), pg_temp.id('mem', 3, n), pg_temp.id('usr', 0, n),
  (CASE WHEN n = 1 THEN 'OWNER' ELSE 'MEMBER' END)::organization_role, 'person number ' || n, pg_temp.id('usr', 0, 1), pg_temp.at(n)
FROM generate_series(1, 5000) n;

INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id, created_at)
SELECT pg_temp.id('org', 0, 3), pg_temp.id('prj', 3, n), 'Project ' || n, 'project ' || n, 'OPEN',
  pg_temp.id('usr', 0, 1), pg_temp.at(n)
FROM generate_series(1, 10000) n;

INSERT INTO folders (organization_id, id, project_id, parent_id, ancestor_ids, link_id, name, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 0, 3), pg_temp.id('fld', 3, n), pg_temp.id('prj', 3, 1 + n / 1000), NULL, '{}',
  'dgl_3_' || n, 'Folder ' || n, 'folder ' || n, pg_temp.id('usr', 0, 1 + n % 5000), pg_temp.at(n)
FROM generate_series(1, 100000) n;

INSERT INTO blobs (organization_id, id, sha256, size, content_type, page_count, created_at)
VALUES (pg_temp.id('org', 0, 3), pg_temp.id('blb', 3, 1), sha256('bench'), 48213, 'application/pdf', 3, pg_temp.at(0));

INSERT INTO documents (organization_id, id, project_id, folder_id, name, name_key, revision_number, content_type,
  page_count, size, created_by_id, created_at)
SELECT pg_temp.id('org', 0, 3), pg_temp.id('doc', 3, n), pg_temp.id('prj', 3, 1), pg_temp.id('fld', 3, 1 + n % 999),
  'Drawing ' || n || ' of the west elevation.pdf', 'drawing ' || n || ' of the west elevation.pdf', 1,
  'application/pdf', 3, 48213 + n % 1000, pg_temp.id('usr', 0, 1 + n % 5000), pg_temp.at(n)
FROM generate_series(1, 1000000) n;

INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, page_count, size,
  created_by_id, created_at)
SELECT organization_id, 'rev' || substr(id, 4), id, 1, pg_temp.id('blb', 3, 1), name, content_type, page_count, size,
  created_by_id, created_at
FROM documents WHERE organization_id = pg_temp.id('org', 0, 3);

INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, data, created_at, hash)
SELECT pg_temp.id('org', 0, 3), n, pg_temp.id('evt', 3, n), pg_temp.id('prj', 3, 1), pg_temp.id('doc', 3, n * 5),
  'document.commented', pg_temp.id('usr', 0, 1 + n % 5000), jsonb_build_object('text', 'Remark ' || n),
  pg_temp.at(n), sha256('bench')
FROM generate_series(1, 200000) n;

-- What triggers write otherwise: how many there are, and what can be searched, a tenth of it.
INSERT INTO document_counts (organization_id, project_id, active, recycled, pages)
SELECT organization_id, project_id, count(*), 0, sum(page_count) FROM documents
WHERE organization_id = pg_temp.id('org', 0, 3) GROUP BY organization_id, project_id;

INSERT INTO search_entries (organization_id, subject_id, project_id, kind, state, name_key, folder_id, created_by_id,
  created_at, modified_at, own)
SELECT * FROM search_sources s WHERE s.organization_id = pg_temp.id('org', 0, 3)
AND s.subject_id BETWEEN pg_temp.id('doc', 3, 1) AND pg_temp.id('doc', 3, 100000);

DO $$ BEGIN EXECUTE (SELECT string_agg(definition, '; ') FROM dropped); END $$;

RESET session_replication_role;
VACUUM ANALYZE;
