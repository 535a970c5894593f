-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "metadata_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "metadata_url" TEXT COLLATE "C",
ALTER COLUMN "organization_id" DROP NOT NULL,
ALTER COLUMN "created_by_id" DROP NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "clients_metadata_url_key" ON "clients"("metadata_url");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
-- A client is registered by a person for an organization, or described by a document on the web, and then public.
ALTER TABLE "clients" ADD CONSTRAINT "clients_registered_or_described" CHECK (CASE WHEN "metadata_url" IS NULL
  THEN "organization_id" IS NOT NULL AND "created_by_id" IS NOT NULL AND "metadata_expires_at" IS NULL
  ELSE "organization_id" IS NULL AND "created_by_id" IS NULL AND "metadata_expires_at" IS NOT NULL
    AND "kind" = 'PUBLIC' AND "resource_uri" IS NULL AND "verified_at" IS NULL END);
