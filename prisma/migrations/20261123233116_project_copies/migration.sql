-- CreateEnum
CREATE TYPE "project_copy_state" AS ENUM ('RUNNING', 'COMPLETED', 'FAILED');

-- CreateTable
CREATE TABLE "project_copies" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "state" "project_copy_state" NOT NULL DEFAULT 'RUNNING',
    "copied" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL,
    "cursor" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "error" TEXT COLLATE "C",
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "credential_id" TEXT COLLATE "C",
    "client_id" TEXT COLLATE "C",
    "request_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_copies_pkey" PRIMARY KEY ("organization_id","project_id")
);

-- CreateTable
CREATE TABLE "project_copy_items" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "source_id" TEXT COLLATE "C" NOT NULL,
    "copy_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "project_copy_items_pkey" PRIMARY KEY ("organization_id","project_id","source_id")
);

-- AddForeignKey
ALTER TABLE "project_copies" ADD CONSTRAINT "project_copies_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_copy_items" ADD CONSTRAINT "project_copy_items_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "project_copies"("organization_id", "project_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Due batches of running copies, round-robin over the organizations (domain/projects/copy-job.ts).
CREATE INDEX project_copies_due ON project_copies (organization_id, next_at) WHERE state = 'RUNNING';

ALTER TABLE project_copies
  ADD CONSTRAINT project_copies_ended CHECK (state = 'RUNNING' OR next_at IS NULL),
  ADD CONSTRAINT project_copies_counts CHECK (copied >= 0 AND total >= copied);

-- As for all tables of organizations: the planner expects the largest of them.
ALTER TABLE project_copies ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE project_copy_items ALTER COLUMN organization_id SET (n_distinct = 1);
