-- What a state holds of an item (docs/work/history.md). src/domain/kernel/record writes them, src/domain/history reads them.

-- The items of these ids as they are. Addresses of assignees are in state_people. The pages of a document are counted without an event,
-- so they are those of its revision. The link of a folder is a secret.
CREATE OR REPLACE FUNCTION state_bodies(tenant text, ids text[])
RETURNS TABLE (subject_id text, kind state_kind, project_id text, parent_id text, body jsonb) LANGUAGE sql STABLE
SET timezone = 'UTC' AS $$
  SELECT p.id, 'PROJECT'::state_kind, p.id, NULL::text, to_jsonb(p) || jsonb_build_object('settings', to_jsonb(s))
  FROM projects p LEFT JOIN project_settings s ON s.organization_id = p.organization_id AND s.project_id = p.id
  WHERE p.organization_id = tenant AND p.id = ANY(ids)
  UNION ALL
  SELECT f.id, 'FOLDER', f.project_id, f.parent_id, (to_jsonb(f) - 'link_sealed') || jsonb_build_object('assignees', (
    SELECT coalesce(jsonb_agg(w.id ORDER BY w.id), '[]') FROM folder_assignments a
    LEFT JOIN state_people w ON w.organization_id = a.organization_id AND w.email = a.email
    WHERE a.organization_id = f.organization_id AND a.folder_id = f.id))
  FROM folders f WHERE f.organization_id = tenant AND f.id = ANY(ids)
  UNION ALL
  SELECT d.id, 'DOCUMENT', d.project_id, d.folder_id, (to_jsonb(d) - 'page_count') || jsonb_build_object(
    'assignees', (SELECT coalesce(jsonb_agg(w.id ORDER BY w.id), '[]') FROM document_assignments a
      LEFT JOIN state_people w ON w.organization_id = a.organization_id AND w.email = a.email
      WHERE a.organization_id = d.organization_id AND a.document_id = d.id),
    'tags', (SELECT coalesce(jsonb_agg(x.tag_id ORDER BY x.tag_id), '[]') FROM document_tags x
      WHERE x.organization_id = d.organization_id AND x.document_id = d.id),
    'values', (SELECT coalesce(jsonb_agg(to_jsonb(v) - 'organization_id' - 'document_id' ORDER BY v.field_id, v.position), '[]')
      FROM document_field_values v WHERE v.organization_id = d.organization_id AND v.document_id = d.id))
  FROM documents d WHERE d.organization_id = tenant AND d.id = ANY(ids)
  UNION ALL
  SELECT c.id, 'FIELD', c.project_id, c.parent_id, to_jsonb(c)
  FROM fields c WHERE c.organization_id = tenant AND c.id = ANY(ids)
$$;

-- Gives an id to each address of an assignee of these items.
CREATE OR REPLACE FUNCTION add_state_people(tenant text, ids text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO state_people (organization_id, id, email)
  SELECT tenant, gen_random_uuid()::text, a.email FROM (
    SELECT d.email FROM document_assignments d WHERE d.organization_id = tenant AND d.document_id = ANY(ids)
    UNION SELECT f.email FROM folder_assignments f WHERE f.organization_id = tenant AND f.folder_id = ANY(ids)) a
  WHERE NOT EXISTS (SELECT FROM state_people w WHERE w.organization_id = tenant AND w.email = a.email)
$$;

-- Those of these items that differ from their current states; without a body what is gone. VOLATILE, so that it sees what was
-- committed before the statement that calls it got its lock.
CREATE OR REPLACE FUNCTION changed_states(tenant text, ids text[])
RETURNS TABLE (subject_id text, kind state_kind, project_id text, parent_id text, body text) LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM add_state_people(tenant, ids);
  RETURN QUERY SELECT i.id, coalesce(b.kind, s.kind), coalesce(b.project_id, s.project_id), b.parent_id, b.body::text
    FROM unnest(ids) i(id)
    LEFT JOIN state_bodies(tenant, ids) b ON b.subject_id = i.id
    LEFT JOIN LATERAL (SELECT c.kind, c.project_id, c.body FROM states c
      WHERE c.organization_id = tenant AND c.subject_id = i.id ORDER BY c.from_sequence DESC LIMIT 1) s ON true
    WHERE s.body IS DISTINCT FROM b.body;
END $$;
