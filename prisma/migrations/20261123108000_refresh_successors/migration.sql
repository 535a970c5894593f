-- The pair that a used refresh token gave, sealed with that token, for as long as it may be asked for again.
ALTER TABLE "refresh_tokens" ADD COLUMN "successor" BYTEA;
CREATE INDEX "refresh_tokens_successor_idx" ON "refresh_tokens"("used_at") WHERE "successor" IS NOT NULL;
