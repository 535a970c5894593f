-- CreateEnum
CREATE TYPE "filing_error" AS ENUM ('INVALID_ANSWER', 'PDF_NOT_DRAWN', 'STORE_UNAVAILABLE', 'INTERNAL');

-- AlterTable
ALTER TABLE "form_submissions" ADD COLUMN     "filing_error" TEXT COLLATE "C",
ADD COLUMN     "filing_error_code" "filing_error",
ADD COLUMN     "filing_failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "filing_page_count" INTEGER,
ADD COLUMN     "filing_upload_id" TEXT COLLATE "C";

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Those that were given up unseen are tried again: they are filed, or fail in sight.
UPDATE form_submissions SET filing_attempts = 0, filing_next_at = date_trunc('milliseconds', now())
  WHERE document_id IS NULL AND filing_next_at IS NULL AND filing_attempts > 0;

-- Of the few that are not filed, by form.
CREATE INDEX form_submissions_unfiled ON form_submissions (organization_id, form_template_id, created_at, id)
  WHERE document_id IS NULL;
