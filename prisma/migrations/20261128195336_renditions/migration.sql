-- CreateEnum
CREATE TYPE "rendition_state" AS ENUM ('PENDING', 'READY', 'FAILED');

-- AlterTable
ALTER TABLE "signature_sessions" ADD COLUMN     "rendition_sha256" BYTEA;

-- CreateTable
CREATE TABLE "renditions" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "revision_id" TEXT COLLATE "C" NOT NULL,
    "state" "rendition_state" NOT NULL DEFAULT 'PENDING',
    "blob_id" TEXT COLLATE "C",
    "sha256" BYTEA,
    "page_count" INTEGER,
    "error" TEXT COLLATE "C",
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempt_blob_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "renditions_pkey" PRIMARY KEY ("organization_id","revision_id")
);

-- CreateIndex
CREATE INDEX "renditions_attempt_blob_id_idx" ON "renditions"("attempt_blob_id");

-- CreateIndex
CREATE INDEX "renditions_organization_id_blob_id_idx" ON "renditions"("organization_id", "blob_id");

-- AddForeignKey
ALTER TABLE "renditions" ADD CONSTRAINT "renditions_organization_id_revision_id_fkey" FOREIGN KEY ("organization_id", "revision_id") REFERENCES "revisions"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "renditions" ADD CONSTRAINT "renditions_organization_id_blob_id_fkey" FOREIGN KEY ("organization_id", "blob_id") REFERENCES "blobs"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

ALTER TABLE renditions ALTER COLUMN organization_id SET (n_distinct = 1);

ALTER TABLE renditions ADD CONSTRAINT renditions_file CHECK (
    (state = 'READY') = (blob_id IS NOT NULL AND sha256 IS NOT NULL AND page_count IS NOT NULL)
    AND (state = 'FAILED' OR error IS NULL));

CREATE INDEX renditions_due ON renditions (organization_id, next_at) WHERE state = 'PENDING';
