-- One organization as a small customer has it: 50 people, 12 projects, 10 folders and 100 documents in each, one
-- revision and three comments on each document. A second one takes what the measurements write.
SET session_replication_role = replica;

CREATE FUNCTION pg_temp.id(prefix text, kind int, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT prefix || '_01' || lpad(to_hex(kind), 4, '0') || lpad(to_hex(n), 20, '0') $$;

CREATE FUNCTION pg_temp.at(n bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
$$ SELECT timestamptz '2026-01-01T00:00:00Z' + n * interval '61.007 seconds' $$;

INSERT INTO users (id, email, name, created_at)
SELECT pg_temp.id('usr', 0, n), 'person' || n || '@example.test', 'Person Number ' || n, pg_temp.at(n)
FROM generate_series(1, 50) n;

INSERT INTO organizations (id, name, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 0, n), name, lower(name), pg_temp.id('usr', 0, 1), pg_temp.at(n)
FROM (VALUES (1, 'Harbor & Pine'), (2, 'Quay Builders')) o(n, name);

INSERT INTO memberships (organization_id, id, user_id, role, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 0, o), pg_temp.id('mem', o, n), pg_temp.id('usr', 0, n),
  (CASE WHEN n = 1 THEN 'OWNER' ELSE 'MEMBER' END)::organization_role, 'person number ' || n, pg_temp.id('usr', 0, 1), pg_temp.at(n)
FROM generate_series(1, 50) n, generate_series(1, 2) o;

INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id, created_at)
SELECT pg_temp.id('org', 0, o), pg_temp.id('prj', o, n), 'Project ' || n, 'project ' || n, 'OPEN',
  pg_temp.id('usr', 0, 1), pg_temp.at(n)
FROM generate_series(1, 12) n, generate_series(1, 2) o;

INSERT INTO folders (organization_id, id, project_id, parent_id, ancestor_ids, link_sealed, name, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 0, o), pg_temp.id('fld', o, p * 100 + n), pg_temp.id('prj', o, p), NULL, '{}',
  'dgl_' || o || '_' || p || '_' || n, 'Folder ' || n, 'folder ' || n, pg_temp.id('usr', 0, 1 + n % 50), pg_temp.at(n)
FROM generate_series(1, 30) n, generate_series(1, 12) p, generate_series(1, 2) o;

INSERT INTO blobs (organization_id, id, sha256, size, content_type, page_count, created_at)
SELECT pg_temp.id('org', 0, o), pg_temp.id('blb', o, 1), sha256('bench'), 48213, 'application/pdf', 3, pg_temp.at(0)
FROM generate_series(1, 2) o;

INSERT INTO documents (organization_id, id, project_id, folder_id, name, name_key, revision_number, content_type,
  page_count, size, created_by_id, created_at)
SELECT pg_temp.id('org', 0, o), pg_temp.id('doc', o, p * 1000 + n), pg_temp.id('prj', o, p),
  pg_temp.id('fld', o, p * 100 + 1 + n % 10), 'Drawing ' || n || ' of the west elevation.pdf',
  'drawing ' || n || ' of the west elevation.pdf', 1, 'application/pdf', 3, 48213 + n,
  pg_temp.id('usr', 0, 1 + n % 50), pg_temp.at(p * 1000 + n)
FROM generate_series(1, 100) n, generate_series(1, 12) p, generate_series(1, 2) o;

INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, page_count, size,
  created_by_id, created_at)
SELECT d.organization_id, 'rev' || substr(d.id, 4), d.id, 1, b.id, d.name, d.content_type, d.page_count, d.size,
  d.created_by_id, d.created_at
FROM documents d JOIN blobs b ON b.organization_id = d.organization_id;

INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, data, created_at, hash)
SELECT organization_id, row_number() OVER (PARTITION BY organization_id ORDER BY id, n),
  'evt' || substr(id, 4, 7) || n || substr(id, 12), project_id, id, 'document.commented',
  pg_temp.id('usr', 0, 1 + n),
  jsonb_build_object('text', 'Remark ' || n || ': the dimension at grid line C differs from the model.'),
  created_at + n * interval '1 hour', sha256('bench')
FROM documents, generate_series(1, 3) n;

INSERT INTO event_heads (organization_id, sequence, hash)
SELECT organization_id, max(sequence), sha256('bench') FROM events GROUP BY organization_id;

-- What triggers write otherwise: what is searched, of the first organization, which is only read, and how many there are.
INSERT INTO search_entries (organization_id, subject_id, project_id, kind, state, name_key, folder_id, created_by_id,
  created_at, modified_at, own)
SELECT * FROM search_sources s WHERE s.organization_id = pg_temp.id('org', 0, 1);

INSERT INTO document_counts (organization_id, project_id, active, recycled, pages)
SELECT organization_id, project_id, count(*), 0, sum(page_count) FROM documents GROUP BY organization_id, project_id;

RESET session_replication_role;
VACUUM ANALYZE;
