-- CreateTable
CREATE TABLE "follows" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "folder_id" TEXT COLLATE "C",
    "document_id" TEXT COLLATE "C",
    "task_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "follows_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "follows_id_key" ON "follows"("id");

-- CreateIndex
CREATE INDEX "follows_organization_id_user_id_created_at_id_idx" ON "follows"("organization_id", "user_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "follows_organization_id_subject_id_user_id_key" ON "follows"("organization_id", "subject_id", "user_id");

-- AddForeignKey
ALTER TABLE "follows" ADD CONSTRAINT "follows_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "follows" ADD CONSTRAINT "follows_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "follows" ADD CONSTRAINT "follows_organization_id_folder_id_fkey" FOREIGN KEY ("organization_id", "folder_id") REFERENCES "folders"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "follows" ADD CONSTRAINT "follows_organization_id_document_id_fkey" FOREIGN KEY ("organization_id", "document_id") REFERENCES "documents"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "follows" ADD CONSTRAINT "follows_organization_id_task_id_fkey" FOREIGN KEY ("organization_id", "task_id") REFERENCES "tasks"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
ALTER TABLE follows ADD CONSTRAINT follows_subject CHECK (num_nonnulls(folder_id, document_id, task_id) <= 1
  AND subject_id = coalesce(folder_id, document_id, task_id, project_id));
-- For the foreign keys, when what is followed is deleted.
CREATE INDEX follows_project ON follows (organization_id, project_id);
CREATE INDEX follows_folder ON follows (organization_id, folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX follows_document ON follows (organization_id, document_id) WHERE document_id IS NOT NULL;
CREATE INDEX follows_task ON follows (organization_id, task_id) WHERE task_id IS NOT NULL;
CREATE INDEX follows_user ON follows (user_id);
ALTER TABLE follows ALTER COLUMN organization_id SET (n_distinct = 1);
