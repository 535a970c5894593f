-- CreateTable
CREATE TABLE "pushed_requests" (
    "secret_hash" BYTEA NOT NULL,
    "client_id" TEXT COLLATE "C" NOT NULL,
    "parameters" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "opened_at" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "pushed_requests_pkey" PRIMARY KEY ("secret_hash")
);

-- CreateIndex
CREATE INDEX "pushed_requests_client_id_idx" ON "pushed_requests"("client_id");

-- CreateIndex
CREATE INDEX "pushed_requests_expires_at_idx" ON "pushed_requests"("expires_at");

-- AddForeignKey
ALTER TABLE "pushed_requests" ADD CONSTRAINT "pushed_requests_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
