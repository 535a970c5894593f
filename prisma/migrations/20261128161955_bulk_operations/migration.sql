-- CreateEnum
CREATE TYPE "bulk_operation_state" AS ENUM ('QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED');

-- CreateTable
CREATE TABLE "bulk_operations" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "credential_id" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C",
    "scopes" TEXT[] COLLATE "C",
    "authorized_at" TIMESTAMPTZ(3) NOT NULL,
    "second_factor" BOOLEAN NOT NULL,
    "request_id" TEXT COLLATE "C" NOT NULL,
    "mutation" TEXT COLLATE "C" NOT NULL,
    "field" TEXT COLLATE "C" NOT NULL,
    "state" "bulk_operation_state" NOT NULL DEFAULT 'QUEUED',
    "line_count" INTEGER NOT NULL,
    "done_count" INTEGER NOT NULL DEFAULT 0,
    "failed_count" INTEGER NOT NULL DEFAULT 0,
    "attempt" TEXT COLLATE "C",
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "paced_until" TIMESTAMPTZ(3),
    "failure" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bulk_operations_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "bulk_operation_lines" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "operation_id" TEXT COLLATE "C" NOT NULL,
    "line" INTEGER NOT NULL,
    "input" TEXT COLLATE "C" NOT NULL,
    "effect_at" TIMESTAMPTZ(3),
    "result" TEXT COLLATE "C",

    CONSTRAINT "bulk_operation_lines_pkey" PRIMARY KEY ("organization_id","operation_id","line")
);

-- CreateIndex
CREATE UNIQUE INDEX "bulk_operations_id_key" ON "bulk_operations"("id");

-- CreateIndex
CREATE INDEX "bulk_operations_organization_id_created_at_id_idx" ON "bulk_operations"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "bulk_operations_organization_id_created_by_id_idx" ON "bulk_operations"("organization_id", "created_by_id");

-- CreateIndex
CREATE INDEX "bulk_operations_organization_id_paced_until_idx" ON "bulk_operations"("organization_id", "paced_until");

-- CreateIndex
CREATE INDEX "bulk_operations_expires_at_idx" ON "bulk_operations"("expires_at");

-- AddForeignKey
ALTER TABLE "bulk_operations" ADD CONSTRAINT "bulk_operations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bulk_operations" ADD CONSTRAINT "bulk_operations_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bulk_operation_lines" ADD CONSTRAINT "bulk_operation_lines_organization_id_operation_id_fkey" FOREIGN KEY ("organization_id", "operation_id") REFERENCES "bulk_operations"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

ALTER TABLE bulk_operations ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE bulk_operation_lines ALTER COLUMN organization_id SET (n_distinct = 1);
CREATE INDEX bulk_operations_due ON bulk_operations (organization_id, next_at) WHERE next_at IS NOT NULL;
