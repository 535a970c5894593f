-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "next_reminder_at" TIMESTAMPTZ(3);

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
-- The next reminder of an open task: those that are past when the due time is set are left out.
CREATE FUNCTION set_next_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.next_reminder_at := CASE WHEN NEW.state = 'OPEN' THEN
    (SELECT min(x.at) FROM (VALUES (NEW.remind7_at), (NEW.remind3_at), (NEW.remind1_at)) x(at) WHERE x.at > now()) END;
  RETURN NEW;
END $$;
CREATE TRIGGER tasks_next_reminder BEFORE INSERT OR UPDATE OF remind7_at, remind3_at, remind1_at, state ON tasks
  FOR EACH ROW EXECUTE FUNCTION set_next_reminder();
UPDATE tasks t SET next_reminder_at = (
  SELECT min(x.at) FROM (VALUES (t.remind7_at), (t.remind3_at), (t.remind1_at)) x(at) WHERE x.at > now())
WHERE t.state = 'OPEN' AND t.due_at > now();
CREATE INDEX tasks_due_reminders ON tasks (organization_id, next_reminder_at) WHERE next_reminder_at IS NOT NULL;
