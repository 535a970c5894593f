-- AlterTable
ALTER TABLE "signature_forms" ADD COLUMN     "project_id" TEXT COLLATE "C";

UPDATE "signature_forms" g SET "project_id" = d."project_id" FROM "documents" d
  WHERE d."organization_id" = g."organization_id" AND d."id" = g."document_id";

-- AlterTable
ALTER TABLE "signature_forms" ALTER COLUMN "project_id" SET NOT NULL;

-- AddForeignKey
ALTER TABLE "signature_forms" ADD CONSTRAINT "signature_forms_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

CREATE INDEX "signature_forms_recent_idx" ON "signature_forms"
  ("organization_id", "project_id", (coalesce("modified_at", "created_at")), "id");
