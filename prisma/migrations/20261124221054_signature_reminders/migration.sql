-- AlterEnum
ALTER TYPE "signature_stop_reason" ADD VALUE 'EXPIRED';

-- AlterTable
ALTER TABLE "signature_recipients" ADD COLUMN     "mailed_at" TIMESTAMPTZ(3),
ADD COLUMN     "next_reminder_at" TIMESTAMPTZ(3),
ADD COLUMN     "reminders" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "reminders_end_at" TIMESTAMPTZ(3),
ADD COLUMN     "reminders_off_at" TIMESTAMPTZ(3),
ADD COLUMN     "reminders_sent" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "signature_sessions" ADD COLUMN     "ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "expires_at" TIMESTAMPTZ(3);

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
-- Nobody is reminded whose turn it is not, or of a session that has ended.
CREATE FUNCTION end_signer_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.next_reminder_at := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER signature_recipients_end_reminders BEFORE UPDATE OF state ON signature_recipients
  FOR EACH ROW WHEN (NEW.state <> 'REQUESTED' AND NEW.next_reminder_at IS NOT NULL) EXECUTE FUNCTION end_signer_reminders();
CREATE FUNCTION end_session_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE signature_recipients SET next_reminder_at = NULL
  WHERE organization_id = NEW.organization_id AND session_id = NEW.id AND next_reminder_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER signature_sessions_end_reminders AFTER UPDATE OF state ON signature_sessions
  FOR EACH ROW WHEN (OLD.state = 'ACTIVE' AND NEW.state <> 'ACTIVE') EXECUTE FUNCTION end_session_reminders();
CREATE INDEX signature_recipients_due_reminders ON signature_recipients (organization_id, next_reminder_at)
  WHERE next_reminder_at IS NOT NULL;
CREATE INDEX signature_sessions_due_ends ON signature_sessions (organization_id, expires_at) WHERE state = 'ACTIVE';
-- Sessions under way end with the last link of those whose turn it is. Only requests from now on are reminded of.
UPDATE signature_recipients SET mailed_at = requested_at WHERE state = 'REQUESTED';
UPDATE signature_sessions g SET expires_at = (SELECT max(r.link_expires_at) FROM signature_recipients r
  WHERE r.organization_id = g.organization_id AND r.session_id = g.id AND r.state = 'REQUESTED')
WHERE g.state = 'ACTIVE';
