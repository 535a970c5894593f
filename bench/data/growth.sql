-- Many times as much around it (data.ts says how much): an organization with many projects and members, and a project with
-- many documents. The first organization stays as it is.
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
FROM generate_series(51, :members) n ON CONFLICT DO NOTHING;

INSERT INTO organizations (id, name, name_key, created_by_id, created_at)
VALUES (pg_temp.id('org', 0, :organization), 'Northwind', 'northwind', pg_temp.id('usr', 0, 1), pg_temp.at(:organization));

INSERT INTO memberships (organization_id, id, user_id, role, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 0, :organization), pg_temp.id('mem', :organization, n), pg_temp.id('usr', 0, n),
  (CASE WHEN n = 1 THEN 'OWNER' ELSE 'MEMBER' END)::organization_role, 'person number ' || n, pg_temp.id('usr', 0, 1), pg_temp.at(n)
FROM generate_series(1, :members) n;

INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id, created_at)
SELECT pg_temp.id('org', 0, :organization), pg_temp.id('prj', :organization, n), 'Project ' || n, 'project ' || n, 'OPEN',
  pg_temp.id('usr', 0, 1), pg_temp.at(n)
FROM generate_series(1, :projects) n;

INSERT INTO folders (organization_id, id, project_id, parent_id, ancestor_ids, link_sealed, name, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 0, :organization), pg_temp.id('fld', :organization, n), pg_temp.id('prj', :organization, 1 + n / 1000), NULL, '{}',
  'dgl_:organization_' || n, 'Folder ' || n, 'folder ' || n, pg_temp.id('usr', 0, 1 + n % :members), pg_temp.at(n)
FROM generate_series(1, :documents / 10) n;

INSERT INTO blobs (organization_id, id, sha256, size, content_type, page_count, created_at)
VALUES (pg_temp.id('org', 0, :organization), pg_temp.id('blb', :organization, 1), sha256('bench'), 48213, 'application/pdf', 3, pg_temp.at(0));

INSERT INTO documents (organization_id, id, project_id, folder_id, name, name_key, revision_number, content_type,
  page_count, size, created_by_id, created_at)
SELECT pg_temp.id('org', 0, :organization), pg_temp.id('doc', :organization, n), pg_temp.id('prj', :organization, 1), pg_temp.id('fld', :organization, 1 + n % 999),
  'Drawing ' || n || ' of the west elevation.pdf', 'drawing ' || n || ' of the west elevation.pdf', 1,
  'application/pdf', 3, 48213 + n % 1000, pg_temp.id('usr', 0, 1 + n % :members), pg_temp.at(n)
FROM generate_series(1, :documents) n;

INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, page_count, size,
  created_by_id, created_at)
SELECT organization_id, 'rev' || substr(id, 4), id, 1, pg_temp.id('blb', :organization, 1), name, content_type, page_count, size,
  created_by_id, created_at
FROM documents WHERE organization_id = pg_temp.id('org', 0, :organization);

INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, data, created_at, hash)
SELECT pg_temp.id('org', 0, :organization), n, pg_temp.id('evt', :organization, n), pg_temp.id('prj', :organization, 1), pg_temp.id('doc', :organization, n * 5),
  'document.commented', pg_temp.id('usr', 0, 1 + n % :members), jsonb_build_object('text', 'Remark ' || n),
  pg_temp.at(n), sha256('bench')
FROM generate_series(1, :documents / 5) n;

-- What triggers write otherwise: how many there are, and what can be searched, a tenth of it.
INSERT INTO document_counts (organization_id, project_id, active, recycled, pages)
SELECT organization_id, project_id, count(*), 0, sum(page_count) FROM documents
WHERE organization_id = pg_temp.id('org', 0, :organization) GROUP BY organization_id, project_id;

INSERT INTO search_entries (organization_id, subject_id, project_id, kind, state, name_key, folder_id, created_by_id,
  created_at, modified_at, own)
SELECT * FROM search_sources s WHERE s.organization_id = pg_temp.id('org', 0, :organization)
AND s.subject_id BETWEEN pg_temp.id('doc', :organization, 1) AND pg_temp.id('doc', :organization, :documents / 10);

DO $$ BEGIN EXECUTE (SELECT string_agg(definition, '; ') FROM dropped); END $$;

RESET session_replication_role;
VACUUM ANALYZE;
