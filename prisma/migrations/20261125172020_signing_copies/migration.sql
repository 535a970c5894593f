-- AlterTable
ALTER TABLE "signature_sessions" ADD COLUMN     "copy_blob_id" TEXT COLLATE "C",
ADD COLUMN     "copy_sha256" BYTEA;

-- AddForeignKey
ALTER TABLE "signature_sessions" ADD CONSTRAINT "signature_sessions_organization_id_copy_blob_id_fkey" FOREIGN KEY ("organization_id", "copy_blob_id") REFERENCES "blobs"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Of the few sessions with a copy, for the sweep and the foreign key.
CREATE INDEX signature_sessions_copy ON signature_sessions (organization_id, copy_blob_id) WHERE copy_blob_id IS NOT NULL;
