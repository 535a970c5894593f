-- CreateEnum
CREATE TYPE "page_status" AS ENUM ('READY', 'PENDING', 'BROKEN', 'LOCKED', 'COSTLY');

-- AlterTable
ALTER TABLE "blobs" ADD COLUMN     "page_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "page_next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "page_status" "page_status" NOT NULL DEFAULT 'READY';

-- AlterTable
ALTER TABLE "signature_sessions" ADD COLUMN     "seal_removed" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[];

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- What is to be counted, for each organization what comes first.
CREATE INDEX blobs_page_next_at ON blobs (organization_id, page_attempts, page_next_at) WHERE page_status = 'PENDING';

-- A PDF without a number of pages may have been stored so because the server was busy: all of them are counted again.
UPDATE blobs SET page_status = 'PENDING' WHERE content_type = 'application/pdf' AND page_count IS NULL;
