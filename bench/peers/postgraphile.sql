-- What PostGraphile needs beside the tables: functions for what no foreign key tells, and row level security as its
-- documentation recommends it, over settings that each request carries.
CREATE FUNCTION documents_comments(d documents) RETURNS SETOF events LANGUAGE sql STABLE AS $$
  SELECT e.* FROM events e WHERE e.organization_id = d.organization_id AND e.subject_id = d.id
  AND e.kind = 'document.commented' ORDER BY e.sequence $$;
CREATE FUNCTION documents_current_revision(d documents) RETURNS revisions LANGUAGE sql STABLE AS $$
  SELECT r.* FROM revisions r WHERE r.organization_id = d.organization_id AND r.document_id = d.id
  AND r.number = d.revision_number $$;
CREATE FUNCTION events_comment_id(e events) RETURNS text LANGUAGE sql STABLE AS $$ SELECT 'cmt' || substr(e.id, 4) $$;
CREATE FUNCTION events_text(e events) RETURNS text LANGUAGE sql STABLE AS $$ SELECT e.data->>'text' $$;

CREATE FUNCTION viewer_organizations(VARIADIC roles text[]) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(m->>'organization_id'), '{}') FROM jsonb_array_elements(current_setting('viewer.memberships')::jsonb) m
  WHERE m->>'role' = ANY(roles) $$;
CREATE FUNCTION projects_viewer_role(p projects) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p.organization_id = ANY(viewer_organizations('OWNER', 'ADMIN')) THEN 'ADMIN' ELSE 'EDITOR' END $$;
CREATE FUNCTION viewer() RETURNS users LANGUAGE sql STABLE AS $$
  SELECT u.* FROM users u WHERE u.id = current_setting('viewer.id') $$;
CREATE FUNCTION users_organizations(u users) RETURNS SETOF organizations LANGUAGE sql STABLE AS $$
  SELECT o.* FROM organizations o JOIN memberships m ON m.organization_id = o.id WHERE m.user_id = u.id
  ORDER BY o.created_at, o.id $$;

GRANT USAGE ON SCHEMA public TO docgraph_bench_viewer;
GRANT SELECT ON users, organizations, memberships, projects, project_members, folders, documents, revisions, events TO docgraph_bench_viewer;
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE folders ENABLE ROW LEVEL SECURITY;
CREATE POLICY visible ON organizations TO docgraph_bench_viewer
  USING (id = ANY((SELECT viewer_organizations('OWNER', 'ADMIN', 'MEMBER', 'GUEST'))::text[]));
CREATE POLICY visible ON projects TO docgraph_bench_viewer USING (
  organization_id = ANY((SELECT viewer_organizations('OWNER', 'ADMIN'))::text[])
  OR access = 'OPEN' AND organization_id = ANY((SELECT viewer_organizations('MEMBER'))::text[])
  OR EXISTS (SELECT FROM project_members pm WHERE pm.organization_id = projects.organization_id
    AND pm.project_id = projects.id AND pm.user_id = current_setting('viewer.id')));
CREATE POLICY visible ON documents TO docgraph_bench_viewer
  USING (organization_id = ANY((SELECT viewer_organizations('OWNER', 'ADMIN', 'MEMBER', 'GUEST'))::text[]));
CREATE POLICY visible ON folders TO docgraph_bench_viewer
  USING (organization_id = ANY((SELECT viewer_organizations('OWNER', 'ADMIN', 'MEMBER', 'GUEST'))::text[]));

-- It offers no filters and orders on columns without a plain index, and takes no notice of partial ones.
COMMENT ON COLUMN documents.state IS E'@behavior +filterBy +condition:attribute:filterBy';
COMMENT ON COLUMN documents.created_at IS E'@behavior +orderBy';
COMMENT ON COLUMN projects.created_at IS E'@behavior +orderBy';
