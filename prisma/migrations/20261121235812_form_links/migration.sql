-- DropIndex
DROP INDEX "form_templates_link_id_key";

-- AlterTable
ALTER TABLE "form_templates" ADD COLUMN     "link_hash" BYTEA,
ADD COLUMN     "link_sealed" TEXT COLLATE "C";

-- The links in use stay as they are; a form is given a sealed one when it becomes public again.
UPDATE "form_templates" SET "link_hash" = sha256(convert_to("link_id", 'UTF8')), "link_sealed" = "link_id" WHERE "is_public";

-- AlterTable
ALTER TABLE "form_templates" DROP COLUMN "link_id";

-- CreateIndex
CREATE UNIQUE INDEX "form_templates_link_hash_key" ON "form_templates"("link_hash");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

ALTER TABLE "form_templates" ADD CONSTRAINT "form_templates_link_check"
  CHECK ("is_public" = ("link_hash" IS NOT NULL) AND "is_public" = ("link_sealed" IS NOT NULL));
