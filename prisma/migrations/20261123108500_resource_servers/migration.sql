-- Clients that only introspect (RFC 7662), and tokens that are meant for them (RFC 8707).
ALTER TYPE "client_kind" ADD VALUE 'RESOURCE_SERVER';
ALTER TABLE "clients" ADD COLUMN "resource_uri" TEXT COLLATE "C", ADD COLUMN "installation_wide" BOOLEAN NOT NULL DEFAULT false;
CREATE UNIQUE INDEX "clients_resource_uri_key" ON "clients"("organization_id", "resource_uri") WHERE "deleted_at" IS NULL;
ALTER TABLE "grants" ADD COLUMN "resources" TEXT[] COLLATE "C" NOT NULL DEFAULT '{}';
-- Empty: this API.
ALTER TABLE "authorization_codes" ADD COLUMN "audience" TEXT[] COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE "access_tokens" ADD COLUMN "audience" TEXT[] COLLATE "C" NOT NULL DEFAULT '{}';
