-- AlterTable
ALTER TABLE "access_tokens" ADD COLUMN     "code_hash" BYTEA;

-- AlterTable
ALTER TABLE "authorization_codes" ADD COLUMN     "revoked_at" TIMESTAMPTZ(3),
ADD COLUMN     "scopes" "scope"[];

-- AlterTable
ALTER TABLE "pushed_requests" ADD COLUMN     "answered_by" BYTEA;

-- AlterTable
ALTER TABLE "refresh_tokens" ADD COLUMN     "code_hash" BYTEA;

-- CreateIndex
CREATE INDEX "access_tokens_code_hash_idx" ON "access_tokens"("code_hash");

-- CreateIndex
CREATE INDEX "refresh_tokens_code_hash_idx" ON "refresh_tokens"("code_hash");

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_code_hash_fkey" FOREIGN KEY ("code_hash") REFERENCES "authorization_codes"("secret_hash") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_code_hash_fkey" FOREIGN KEY ("code_hash") REFERENCES "authorization_codes"("secret_hash") ON DELETE SET NULL ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Until now each authorization had a grant of its own: its code becomes the family of the grant's tokens.
UPDATE authorization_codes c SET scopes = g.scopes FROM grants g WHERE g.id = c.grant_id;
INSERT INTO authorization_codes (secret_hash, grant_id, scopes, redirect_uri, created_at, expires_at, used_at)
SELECT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), g.id, g.scopes, '',
  g.created_at, g.created_at, g.created_at
FROM grants g
WHERE NOT EXISTS (SELECT FROM authorization_codes c WHERE c.grant_id = g.id AND c.used_at IS NOT NULL)
AND (EXISTS (SELECT FROM refresh_tokens t WHERE t.grant_id = g.id) OR EXISTS (SELECT FROM access_tokens t WHERE t.grant_id = g.id));
CREATE TEMPORARY TABLE families ON COMMIT DROP AS
SELECT DISTINCT ON (grant_id) grant_id, secret_hash FROM authorization_codes WHERE used_at IS NOT NULL
ORDER BY grant_id, created_at, secret_hash;
UPDATE access_tokens t SET code_hash = f.secret_hash FROM families f WHERE f.grant_id = t.grant_id;
UPDATE refresh_tokens t SET code_hash = f.secret_hash FROM families f WHERE f.grant_id = t.grant_id;

-- The oldest live grant of a user for a client takes over what the others allow, and their codes and tokens.
CREATE TEMPORARY TABLE merged_grants ON COMMIT DROP AS
SELECT id, first_value(id) OVER (PARTITION BY client_id, user_id ORDER BY created_at, id) AS into_id
FROM grants WHERE revoked_at IS NULL;
UPDATE grants g SET scopes = u.scopes FROM (
  SELECT m.into_id, array_agg(DISTINCT s.scope ORDER BY s.scope) AS scopes
  FROM merged_grants m JOIN grants o ON o.id = m.id, unnest(o.scopes) AS s(scope) GROUP BY m.into_id) u
WHERE g.id = u.into_id AND g.scopes <> u.scopes;
UPDATE authorization_codes t SET grant_id = m.into_id FROM merged_grants m WHERE m.id = t.grant_id AND m.id <> m.into_id;
UPDATE access_tokens t SET grant_id = m.into_id FROM merged_grants m WHERE m.id = t.grant_id AND m.id <> m.into_id;
UPDATE refresh_tokens t SET grant_id = m.into_id FROM merged_grants m WHERE m.id = t.grant_id AND m.id <> m.into_id;
UPDATE grants g SET revoked_at = now(), revoked_reason = 'merged' FROM merged_grants m
WHERE m.id = g.id AND m.id <> m.into_id;
CREATE UNIQUE INDEX grants_live ON grants (client_id, user_id) WHERE revoked_at IS NULL;
