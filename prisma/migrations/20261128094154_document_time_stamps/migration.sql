-- AlterTable
ALTER TABLE "signature_sessions" ADD COLUMN     "stamp_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "stamp_next_at" TIMESTAMPTZ(3);

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
-- Document time-stamps that are due, by organization, which take turns.
CREATE INDEX signature_sessions_to_stamp ON signature_sessions (organization_id, stamp_next_at) WHERE stamp_next_at IS NOT NULL;
