-- Rows and columns that follow from another row, so that no writer has to know of them.

-- An organization with events has a position up to which people were notified.
CREATE OR REPLACE FUNCTION add_notification_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notification_cursors (organization_id, sequence) VALUES (NEW.organization_id, 0) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_heads_notification_cursor AFTER INSERT ON event_heads
  FOR EACH ROW EXECUTE FUNCTION add_notification_cursor();

-- The project of a signature session is that of its document.
CREATE OR REPLACE FUNCTION set_session_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.project_id := (SELECT d.project_id FROM documents d
    WHERE d.organization_id = NEW.organization_id AND d.id = NEW.document_id);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER signature_sessions_project BEFORE INSERT ON signature_sessions
  FOR EACH ROW WHEN (new.project_id IS NULL) EXECUTE FUNCTION set_session_project();
