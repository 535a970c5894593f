-- AlterTable
ALTER TABLE "signature_form_templates" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "signature_forms" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
