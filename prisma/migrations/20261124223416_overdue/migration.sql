-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "due_at" TIMESTAMPTZ(3),
ADD COLUMN     "overdue_next_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "process_steps" ADD COLUMN     "due_after_days" INTEGER;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
CREATE FUNCTION end_approval_overdue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.overdue_next_at := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER approvals_end_overdue BEFORE UPDATE OF state ON approvals
  FOR EACH ROW WHEN (NEW.state <> 'PENDING' AND NEW.overdue_next_at IS NOT NULL) EXECUTE FUNCTION end_approval_overdue();
CREATE INDEX approvals_due_overdue ON approvals (organization_id, overdue_next_at) WHERE overdue_next_at IS NOT NULL;
-- A task is reminded of at its due time too: then it is overdue.
CREATE OR REPLACE FUNCTION set_next_reminder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.next_reminder_at := CASE WHEN NEW.state = 'OPEN' THEN (SELECT min(x.at)
    FROM (VALUES (NEW.remind7_at), (NEW.remind3_at), (NEW.remind1_at), (NEW.due_at)) x(at) WHERE x.at > now()) END;
  RETURN NEW;
END $$;
DROP TRIGGER tasks_next_reminder ON tasks;
CREATE TRIGGER tasks_next_reminder BEFORE INSERT OR UPDATE OF due_at, remind7_at, remind3_at, remind1_at, state ON tasks
  FOR EACH ROW EXECUTE FUNCTION set_next_reminder();
UPDATE tasks t SET next_reminder_at = t.due_at WHERE t.state = 'OPEN' AND t.due_at > now() AND t.next_reminder_at IS NULL;
