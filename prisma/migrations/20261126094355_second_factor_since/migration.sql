-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "authorized_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "second_factor" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "authorization_codes" ADD COLUMN     "second_factor" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "second_factor_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "authorized_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "second_factor" BOOLEAN NOT NULL DEFAULT false;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- What exists keeps what it could reach, and gains only what was issued before the rule. No second factor is assumed for it.
UPDATE "api_keys" a SET "authorized_at" = coalesce(
  (SELECT r."created_at" FROM "api_keys" r WHERE r."id" = a."ancestor_ids"[1]), a."created_at");

UPDATE "webhooks" w SET "authorized_at" = coalesce(
  (SELECT a."authorized_at" FROM "api_keys" a WHERE a."id" = w."credential_id"), w."modified_at", w."created_at");

-- The rule began with the last event that says so. Without one, no credential counts as older, and none of a member without a
-- second factor reaches the organization, as before.
UPDATE "organizations" o SET "second_factor_since" = (
  SELECT max(e."created_at") FROM "events" e WHERE e."organization_id" = o."id" AND e."kind" = 'organization.updated'
    AND e."data" -> 'after' -> 'requiresSecondFactor' = 'true'::jsonb)
WHERE o."requires_second_factor";
