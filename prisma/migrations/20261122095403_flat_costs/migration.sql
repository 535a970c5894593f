-- DropIndex
DROP INDEX "events_organization_id_project_id_sequence_idx";

-- DropIndex
DROP INDEX "process_runs_organization_id_document_id_idx";

-- DropIndex
DROP INDEX "process_runs_organization_id_task_id_idx";

-- DropIndex
DROP INDEX "tasks_organization_id_parent_id_idx";

-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "item_name_key" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "name_key" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "project_members" ADD COLUMN     "name_key" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "approvals_organization_id_project_id_item_name_key_id_idx" ON "approvals"("organization_id", "project_id", "item_name_key", "id");

-- CreateIndex
CREATE INDEX "folders_organization_id_project_id_name_key_id_idx" ON "folders"("organization_id", "project_id", "name_key", "id");

-- CreateIndex
CREATE INDEX "folders_organization_id_project_id_created_at_id_idx" ON "folders"("organization_id", "project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "memberships_organization_id_name_key_id_idx" ON "memberships"("organization_id", "name_key", "id");

-- CreateIndex
CREATE INDEX "process_runs_organization_id_document_id_created_at_id_idx" ON "process_runs"("organization_id", "document_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "process_runs_organization_id_task_id_created_at_id_idx" ON "process_runs"("organization_id", "task_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "project_members_organization_id_project_id_name_key_id_idx" ON "project_members"("organization_id", "project_id", "name_key", "id");

-- CreateIndex
CREATE INDEX "search_templates_organization_id_created_by_id_name_key_id_idx" ON "search_templates"("organization_id", "created_by_id", "name_key", "id");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Every list has an index for each of its orders. What is null is no condition that PostgreSQL takes to fix an index's
-- column, so those at the root have one of their own.
CREATE INDEX folders_root_name ON folders (organization_id, project_id, name_key, id) WHERE parent_id IS NULL;
CREATE INDEX folders_root_created ON folders (organization_id, project_id, created_at, id) WHERE parent_id IS NULL;

CREATE INDEX tasks_below_created ON tasks (organization_id, parent_id, created_at, id) WHERE parent_id IS NOT NULL;
CREATE INDEX tasks_below_name ON tasks (organization_id, parent_id, name_key, id) WHERE parent_id IS NOT NULL;
CREATE INDEX tasks_below_due ON tasks (organization_id, parent_id, coalesce(due_at, timestamptz '9999-12-31 23:59:59.999+00'), id)
  WHERE parent_id IS NOT NULL;
CREATE INDEX tasks_assigned_created ON tasks (organization_id, assignee_email, created_at, id) WHERE assignee_email IS NOT NULL;
CREATE INDEX tasks_assigned_name ON tasks (organization_id, assignee_email, name_key, id) WHERE assignee_email IS NOT NULL;
CREATE INDEX tasks_assigned_due ON tasks
  (organization_id, assignee_email, coalesce(due_at, timestamptz '9999-12-31 23:59:59.999+00'), id)
  WHERE assignee_email IS NOT NULL;

CREATE INDEX projects_deleted ON projects (organization_id, purge_marked_at, id) WHERE purge_marked_at IS NOT NULL;

-- An event is of a project, or else of what it happened to.
CREATE INDEX events_place ON events (organization_id, coalesce(project_id, subject_id), sequence);

-- The roles in the order of their enums.
CREATE INDEX memberships_role ON memberships
  (organization_id, (CASE role WHEN 'OWNER' THEN 1 WHEN 'ADMIN' THEN 2 WHEN 'MEMBER' THEN 3 WHEN 'GUEST' THEN 4 END), id);
CREATE INDEX project_members_role ON project_members
  (organization_id, project_id, (CASE role WHEN 'ADMIN' THEN 1 WHEN 'EDITOR' THEN 2 WHEN 'VIEWER' THEN 3 END), id);

-- What the name of a person sorts by stands in each of their memberships. Who joins holds the person's row until that is
-- seen, so that a change of the name comes before or after it.
CREATE FUNCTION user_name_key(name text) RETURNS text LANGUAGE sql STABLE AS
$$ SELECT lower(name COLLATE "default") COLLATE "C" $$;

CREATE FUNCTION member_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := coalesce((SELECT user_name_key(u.name) FROM users u WHERE u.id = NEW.user_id FOR SHARE), '');
  RETURN NEW;
END $$;

CREATE TRIGGER member_name BEFORE INSERT ON memberships FOR EACH ROW EXECUTE FUNCTION member_name();
CREATE TRIGGER member_name BEFORE INSERT ON project_members FOR EACH ROW EXECUTE FUNCTION member_name();

CREATE FUNCTION member_rename() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE memberships SET name_key = user_name_key(NEW.name) WHERE user_id = NEW.id;
  UPDATE project_members q SET name_key = user_name_key(NEW.name) FROM memberships m
  WHERE m.user_id = NEW.id AND q.organization_id = m.organization_id AND q.user_id = m.user_id;
  RETURN NULL;
END $$;

CREATE TRIGGER member_rename AFTER UPDATE OF name ON users
  FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION member_rename();

UPDATE memberships m SET name_key = user_name_key(u.name) FROM users u WHERE u.id = m.user_id;
UPDATE project_members q SET name_key = user_name_key(u.name) FROM users u WHERE u.id = q.user_id;

-- What the name of a document or task sorts by stands in its approvals: whoever asks for one holds the item.
CREATE FUNCTION approval_item_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.item_name_key := coalesce((SELECT coalesce(d.name_key, t.name_key) FROM process_runs r
    LEFT JOIN documents d ON d.organization_id = r.organization_id AND d.id = r.document_id
    LEFT JOIN tasks t ON t.organization_id = r.organization_id AND t.id = r.task_id
    WHERE r.organization_id = NEW.organization_id AND r.id = NEW.run_id), '');
  RETURN NEW;
END $$;

CREATE TRIGGER approval_item_name BEFORE INSERT ON approvals FOR EACH ROW EXECUTE FUNCTION approval_item_name();

CREATE FUNCTION approval_item_rename() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approvals a SET item_name_key = NEW.name_key FROM process_runs r
  WHERE r.organization_id = NEW.organization_id AND (r.document_id = NEW.id OR r.task_id = NEW.id)
    AND a.organization_id = r.organization_id AND a.run_id = r.id;
  RETURN NULL;
END $$;

CREATE TRIGGER approval_item_rename AFTER UPDATE OF name_key ON documents
  FOR EACH ROW WHEN (OLD.name_key <> NEW.name_key) EXECUTE FUNCTION approval_item_rename();
CREATE TRIGGER approval_item_rename AFTER UPDATE OF name_key ON tasks
  FOR EACH ROW WHEN (OLD.name_key <> NEW.name_key) EXECUTE FUNCTION approval_item_rename();

UPDATE approvals a SET item_name_key = coalesce(d.name_key, t.name_key) FROM process_runs r
LEFT JOIN documents d ON d.organization_id = r.organization_id AND d.id = r.document_id
LEFT JOIN tasks t ON t.organization_id = r.organization_id AND t.id = r.task_id
WHERE r.organization_id = a.organization_id AND r.id = a.run_id;

-- A thing is found by its id alone. With the tenant beside it, PostgreSQL may take an index that begins with the tenant, and
-- read all of a large one where it reckons with a small one: each write then cost more with all that was there already.
ALTER TABLE search_entries DROP CONSTRAINT search_entries_pkey, ADD PRIMARY KEY (subject_id);

DROP FUNCTION search_refresh(text, text[]);

-- As before: the locks come first, in one order, and a statement of its own reads after them.
CREATE FUNCTION search_refresh(subjects text[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM FROM search_entries e WHERE e.subject_id = ANY (subjects) ORDER BY e.subject_id FOR UPDATE;
  INSERT INTO search_entries AS e (organization_id, subject_id, project_id, kind, state, name_key, folder_id, created_by_id, created_at, modified_at, own)
    SELECT * FROM search_sources s WHERE s.subject_id = ANY (subjects) ORDER BY s.subject_id
  ON CONFLICT (subject_id) DO UPDATE SET (project_id, state, name_key, folder_id, modified_at, own)
    = (excluded.project_id, excluded.state, excluded.name_key, excluded.folder_id, excluded.modified_at, excluded.own)
  WHERE (e.project_id, e.state, e.name_key, e.folder_id, e.modified_at, e.own)
    IS DISTINCT FROM (excluded.project_id, excluded.state, excluded.name_key, excluded.folder_id, excluded.modified_at, excluded.own);
EXCEPTION WHEN program_limit_exceeded THEN
  -- A tsvector holds a megabyte: the oldest comments give way.
  UPDATE search_entries e SET said = '' WHERE e.subject_id = ANY (subjects) AND e.said <> '';
  IF NOT FOUND THEN RAISE; END IF;
  PERFORM search_refresh(subjects);
END $$;

CREATE OR REPLACE FUNCTION search_after_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subjects text[];
BEGIN
  EXECUTE format('SELECT array_agg(DISTINCT %I) FROM changed', TG_ARGV[0]) INTO subjects;
  IF subjects IS NOT NULL THEN PERFORM search_refresh(subjects); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION search_after_delete() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM search_entries e USING changed c WHERE e.subject_id = c.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION search_after_comment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  words tsvector := search_vector(NEW.organization_id, NEW.data ->> 'text', '');
BEGIN
  UPDATE search_entries e SET said = CASE WHEN length(e.said) < 20000 THEN e.said || words ELSE words END
  WHERE e.subject_id = NEW.subject_id;
  RETURN NULL;
EXCEPTION WHEN program_limit_exceeded THEN
  UPDATE search_entries e SET said = words WHERE e.subject_id = NEW.subject_id;
  RETURN NULL;
END $$;
