-- When something is due next, and that it is not any more: background work finds its rows by these columns.

-- The next reminder of an open task.
CREATE OR REPLACE FUNCTION set_next_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.next_reminder_at := CASE WHEN NEW.state = 'OPEN' THEN (SELECT min(x.at)
    FROM (VALUES (NEW.remind7_at), (NEW.remind3_at), (NEW.remind1_at), (NEW.due_at)) x(at) WHERE x.at > now()) END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER tasks_next_reminder BEFORE INSERT OR UPDATE OF due_at, remind7_at, remind3_at, remind1_at, state ON tasks
  FOR EACH ROW EXECUTE FUNCTION set_next_reminder();

-- A decided approval is not overdue any more.
CREATE OR REPLACE FUNCTION end_approval_overdue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.overdue_next_at := NULL;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER approvals_end_overdue BEFORE UPDATE OF state ON approvals
  FOR EACH ROW WHEN ((new.state <> 'PENDING'::approval_state) AND (new.overdue_next_at IS NOT NULL))
  EXECUTE FUNCTION end_approval_overdue();

-- Nobody is reminded in a signature session that ended, nor who has signed or declined.
CREATE OR REPLACE FUNCTION end_session_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE signature_recipients SET next_reminder_at = NULL
  WHERE organization_id = NEW.organization_id AND session_id = NEW.id AND next_reminder_at IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER signature_sessions_end_reminders AFTER UPDATE OF state ON signature_sessions
  FOR EACH ROW WHEN ((old.state = 'ACTIVE'::signature_session_state) AND (new.state <> 'ACTIVE'::signature_session_state))
  EXECUTE FUNCTION end_session_reminders();

CREATE OR REPLACE FUNCTION end_signer_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.next_reminder_at := NULL;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER signature_recipients_end_reminders BEFORE UPDATE OF state ON signature_recipients
  FOR EACH ROW WHEN ((new.state <> 'REQUESTED'::signature_recipient_state) AND (new.next_reminder_at IS NOT NULL))
  EXECUTE FUNCTION end_signer_reminders();
