-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "owner_hash" BYTEA;

-- CreateIndex
CREATE INDEX "idempotency_keys_owner_hash_expires_at_idx" ON "idempotency_keys"("owner_hash", "expires_at");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
