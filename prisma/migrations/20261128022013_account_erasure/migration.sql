-- CreateEnum
CREATE TYPE "erased_comments" AS ENUM ('KEEP', 'REDACT');

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "erased_comments" "erased_comments" NOT NULL DEFAULT 'KEEP';

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "erased_at" TIMESTAMPTZ(3),
ADD COLUMN     "former_email" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "signature_recipients_email_idx" ON "signature_recipients"("email");

-- CreateIndex
CREATE INDEX "uploads_user_id_idx" ON "uploads"("user_id");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
CREATE INDEX tasks_assignee ON tasks (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX form_submissions_person ON form_submissions (submitted_by_id) WHERE submitted_by_id IS NOT NULL;
CREATE INDEX signature_recipients_person ON signature_recipients (user_id) WHERE user_id IS NOT NULL;
