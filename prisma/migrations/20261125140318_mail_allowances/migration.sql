-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "mailbox" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "mails_mailbox_admitted_at_idx" ON "mails"("mailbox", "admitted_at");

-- CreateIndex
CREATE INDEX "mails_created_by_id_admitted_at_idx" ON "mails"("created_by_id", "admitted_at");

-- CreateIndex
CREATE INDEX "organizations_created_by_id_created_at_idx" ON "organizations"("created_by_id", "created_at");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Invitations have a priority of their own, between requests to sign and notices.
UPDATE "mails" SET "priority" = CASE WHEN "kind" = 'INVITATION' THEN 2 ELSE "priority" + 1 END
  WHERE "state" IN ('WAITING', 'SENDING') AND ("kind" = 'INVITATION' OR "priority" >= 2);
