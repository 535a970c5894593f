-- What triggers write otherwise: what can be searched, of tasks a tenth; and how many documents there are.
INSERT INTO search_entries (organization_id, subject_id, project_id, kind, state, name_key, folder_id, created_by_id,
  created_at, modified_at, own)
SELECT * FROM search_sources s WHERE s.kind <> 'TASK' OR s.subject_id <= pg_temp.id('tsk', :items / 10);

INSERT INTO document_counts (organization_id, project_id, active, recycled, pages)
SELECT organization_id, project_id, count(*), 0, sum(page_count) FROM documents GROUP BY organization_id, project_id;

DO $$ BEGIN EXECUTE (SELECT string_agg(definition, '; ') FROM dropped); END $$;

-- The words of the comments, as the trigger adds them: of the newest 20,000 words.
UPDATE search_entries e SET said = (SELECT search_vector(e.organization_id, string_agg(data ->> 'text', E'\x1f'), '') FROM events
  WHERE subject_id = e.subject_id AND sequence > :comments - 5000) WHERE subject_id = pg_temp.id('doc', 1);

RESET session_replication_role;
VACUUM ANALYZE;
