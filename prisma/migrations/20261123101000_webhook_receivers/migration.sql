-- AlterTable
ALTER TABLE "form_submissions" ADD COLUMN     "filing_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "filing_next_at" TIMESTAMPTZ(3);

-- AlterTable: what is there already is not due
ALTER TABLE "form_submissions" ALTER COLUMN "filing_next_at" SET DEFAULT date_trunc('milliseconds'::text, now());

-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "client_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "webhook_receivers" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "host" TEXT COLLATE "C" NOT NULL,
    "failures" INTEGER NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "paused_until" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_receivers_pkey" PRIMARY KEY ("organization_id","host")
);

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_receivers" ADD CONSTRAINT "webhook_receivers_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- A webhook belongs to the application of the grant that made it, whichever grants its owner gives that later.
UPDATE webhooks w SET client_id = g.client_id FROM grants g WHERE g.id = w.credential_id;

-- The rows say what is due, in place of jobs: those whose job still waits, wait on. The queues are there from the first start on.
DO $$ BEGIN
  IF to_regclass('jobs.job') IS NOT NULL THEN
    EXECUTE $job$ UPDATE form_submissions SET filing_next_at = now() WHERE document_id IS NULL AND id IN (
      SELECT data ->> 'submissionId' FROM jobs.job WHERE name = 'fileForm' AND state < 'completed') $job$;
  END IF;
END $$;
CREATE INDEX form_submissions_to_file ON form_submissions (organization_id, filing_next_at)
  WHERE document_id IS NULL AND filing_next_at IS NOT NULL;

-- By organization, which take turns; both indexes that this replaces are the same.
CREATE INDEX signature_sessions_due_by_organization ON signature_sessions (organization_id, sealing_next_at) WHERE sealing = 'PENDING';
DROP INDEX signature_sessions_to_seal, signature_sessions_pending_idx;

-- The oldest event first, however many deliveries wait.
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, sequence) WHERE state = 'PENDING';

-- As for all tables of organizations: the planner expects the largest of them.
ALTER TABLE webhook_receivers ALTER COLUMN organization_id SET (n_distinct = 1);
