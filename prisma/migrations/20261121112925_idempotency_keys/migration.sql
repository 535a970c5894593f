-- CreateTable
CREATE TABLE "idempotency_keys" (
    "key_hash" BYTEA NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "attempt" TEXT COLLATE "C" NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,
    "effect_at" TIMESTAMPTZ(3),
    "answer" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("key_hash")
);

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
