-- 30 tasks in the first project, each with three documents and two comments.
SET session_replication_role = replica;

CREATE OR REPLACE FUNCTION pg_temp.id(prefix text, kind int, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT prefix || '_01' || lpad(to_hex(kind), 4, '0') || lpad(to_hex(n), 20, '0') $$;

INSERT INTO tasks (organization_id, id, project_id, name, name_key, assignee_id, assignee_email, priority, created_by_id, created_at)
SELECT pg_temp.id('org', 0, 1), pg_temp.id('tsk', 1, n), pg_temp.id('prj', 1, 1), 'Check drawing ' || n, 'check drawing ' || n,
  pg_temp.id('usr', 0, 1 + n % 50), 'person' || 1 + n % 50 || '@example.test', 0, pg_temp.id('usr', 0, 1 + 7 * n % 50),
  timestamptz '2026-02-01T00:00:00Z' + n * interval '61 seconds'
FROM generate_series(1, 30) n;

INSERT INTO task_documents (organization_id, task_id, document_id, project_id, position, created_by_id, created_at)
SELECT t.organization_id, t.id, pg_temp.id('doc', 1, 1000 + n), t.project_id, n - 1, t.created_by_id, t.created_at
FROM tasks t, generate_series(1, 3) n WHERE t.organization_id = pg_temp.id('org', 0, 1);

INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, data, created_at, hash)
SELECT t.organization_id, h.sequence + row_number() OVER (ORDER BY t.id, n), 'evt' || substr(t.id, 4, 7) || 't' || n || substr(t.id, 13),
  t.project_id, t.id, 'task.commented', pg_temp.id('usr', 0, 1 + n), jsonb_build_object('text', 'Remark ' || n || ': checked on site.'),
  t.created_at + n * interval '1 hour', sha256('bench')
FROM tasks t JOIN event_heads h ON h.organization_id = t.organization_id, generate_series(1, 2) n
WHERE t.organization_id = pg_temp.id('org', 0, 1);

UPDATE event_heads h SET sequence = (SELECT max(sequence) FROM events e WHERE e.organization_id = h.organization_id);

RESET session_replication_role;
VACUUM ANALYZE;
