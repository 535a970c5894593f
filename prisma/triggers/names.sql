-- Copies of names, by which lists are ordered with an index.

-- How names of people are ordered.
CREATE OR REPLACE FUNCTION user_name_key(name text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT lower(name COLLATE "default") COLLATE "C" $$;

CREATE OR REPLACE FUNCTION member_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := coalesce((SELECT user_name_key(u.name) FROM users u WHERE u.id = NEW.user_id FOR SHARE), '');
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER member_name BEFORE INSERT ON memberships
  FOR EACH ROW EXECUTE FUNCTION member_name();

CREATE OR REPLACE TRIGGER member_name BEFORE INSERT ON project_members
  FOR EACH ROW EXECUTE FUNCTION member_name();

CREATE OR REPLACE FUNCTION member_rename() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE memberships SET name_key = user_name_key(NEW.name) WHERE user_id = NEW.id;
  UPDATE project_members q SET name_key = user_name_key(NEW.name) FROM memberships m
  WHERE m.user_id = NEW.id AND q.organization_id = m.organization_id AND q.user_id = m.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER member_rename AFTER UPDATE OF name ON users
  FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION member_rename();

-- The name of the document or task of an approval.
CREATE OR REPLACE FUNCTION approval_item_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.item_name_key := coalesce((SELECT coalesce(d.name_key, t.name_key) FROM process_runs r
    LEFT JOIN documents d ON d.organization_id = r.organization_id AND d.id = r.document_id
    LEFT JOIN tasks t ON t.organization_id = r.organization_id AND t.id = r.task_id
    WHERE r.organization_id = NEW.organization_id AND r.id = NEW.run_id), '');
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER approval_item_name BEFORE INSERT ON approvals
  FOR EACH ROW EXECUTE FUNCTION approval_item_name();

CREATE OR REPLACE FUNCTION approval_item_rename() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approvals a SET item_name_key = NEW.name_key FROM process_runs r
  WHERE r.organization_id = NEW.organization_id AND (r.document_id = NEW.id OR r.task_id = NEW.id)
    AND a.organization_id = r.organization_id AND a.run_id = r.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER approval_item_rename AFTER UPDATE OF name_key ON documents
  FOR EACH ROW WHEN (old.name_key <> new.name_key) EXECUTE FUNCTION approval_item_rename();

CREATE OR REPLACE TRIGGER approval_item_rename AFTER UPDATE OF name_key ON tasks
  FOR EACH ROW WHEN (old.name_key <> new.name_key) EXECUTE FUNCTION approval_item_rename();
