-- AlterEnum
ALTER TYPE "key_purpose" ADD VALUE 'SEAL';

-- AlterTable
ALTER TABLE "signature_sessions" ADD COLUMN     "seal_revision_id" TEXT COLLATE "C",
ADD COLUMN     "sealing_blob_id" TEXT COLLATE "C";

-- CreateIndex
CREATE UNIQUE INDEX "signature_sessions_sealing_blob_id_key" ON "signature_sessions"("sealing_blob_id");

-- AddForeignKey
ALTER TABLE "signature_sessions" ADD CONSTRAINT "signature_sessions_organization_id_seal_revision_id_fkey" FOREIGN KEY ("organization_id", "seal_revision_id") REFERENCES "revisions"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

CREATE INDEX "signature_sessions_pending_idx" ON "signature_sessions"("sealing_next_at") WHERE sealing = 'PENDING';
