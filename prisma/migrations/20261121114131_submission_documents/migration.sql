-- AlterTable
ALTER TABLE "form_submissions" ADD COLUMN     "document_id" TEXT COLLATE "C";

-- CreateIndex
CREATE UNIQUE INDEX "form_submissions_document_id_key" ON "form_submissions"("document_id");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
