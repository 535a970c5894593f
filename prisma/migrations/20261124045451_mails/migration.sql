-- CreateEnum
CREATE TYPE "mail_state" AS ENUM ('WAITING', 'SENDING', 'SENT', 'OUTBOX', 'NOT_CONFIGURED', 'REFUSED', 'GIVEN_UP', 'UNCERTAIN', 'CANCELLED');

-- CreateTable
CREATE TABLE "mails" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "kind" TEXT COLLATE "C" NOT NULL,
    "priority" INTEGER NOT NULL,
    "to_email" TEXT COLLATE "C" NOT NULL,
    "to_user_id" TEXT COLLATE "C",
    "subject_id" TEXT COLLATE "C",
    "dedupe_key" TEXT COLLATE "C",
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_by_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "state" "mail_state" NOT NULL DEFAULT 'WAITING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "admitted_at" TIMESTAMPTZ(3),
    "handing_at" TIMESTAMPTZ(3),
    "uncertain_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "answer" TEXT COLLATE "C",
    "message" TEXT COLLATE "C",

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mails_dedupe_key_key" ON "mails"("dedupe_key");

-- CreateIndex
CREATE INDEX "mails_organization_id_created_at_id_idx" ON "mails"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "mails_organization_id_admitted_at_idx" ON "mails"("organization_id", "admitted_at");

-- CreateIndex
CREATE INDEX "mails_to_email_admitted_at_idx" ON "mails"("to_email", "admitted_at");

-- CreateIndex
CREATE INDEX "mails_subject_id_created_at_idx" ON "mails"("subject_id", "created_at");

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_to_user_id_fkey" FOREIGN KEY ("to_user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
CREATE INDEX mails_due ON mails ((coalesce(organization_id, '')), priority, next_at) WHERE state IN ('WAITING', 'SENDING');
CREATE INDEX mails_ended ON mails (ended_at) WHERE ended_at IS NOT NULL;
-- For the foreign keys.
CREATE INDEX mails_to_user ON mails (to_user_id) WHERE to_user_id IS NOT NULL;
CREATE INDEX mails_created_by ON mails (created_by_id) WHERE created_by_id IS NOT NULL;
ALTER TABLE mails ALTER COLUMN organization_id SET (n_distinct = 1);
