-- CreateEnum
CREATE TYPE "retention_start" AS ENUM ('CREATED', 'LAST_REVISION', 'SEALED', 'APPROVED', 'PROJECT_CLOSED', 'FIELD');

-- CreateEnum
CREATE TYPE "retention_action" AS ENUM ('NOTHING', 'REVIEW', 'PURGE');

-- CreateEnum
CREATE TYPE "retention_scope" AS ENUM ('ORGANIZATION', 'PROJECT', 'FOLDER', 'CHOICE');

-- AlterTable
ALTER TABLE "processes" ADD COLUMN     "retention_policy_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "retention_policies" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "keep_months" INTEGER,
    "keep_days" INTEGER,
    "starts_from" "retention_start" NOT NULL,
    "field_id" TEXT COLLATE "C",
    "project_id" TEXT COLLATE "C",
    "action" "retention_action" NOT NULL,
    "review_group_id" TEXT COLLATE "C",
    "review_need" INTEGER NOT NULL DEFAULT 1,
    "review_again_months" INTEGER NOT NULL DEFAULT 12,
    "locked_at" TIMESTAMPTZ(3),
    "locked_by_id" TEXT COLLATE "C",
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_by_id" TEXT COLLATE "C",
    "modified_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "retention_policies_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "retention_assignments" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "policy_id" TEXT COLLATE "C" NOT NULL,
    "scope" "retention_scope" NOT NULL,
    "target" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C",
    "folder_id" TEXT COLLATE "C",
    "field_id" TEXT COLLATE "C",
    "choice" TEXT COLLATE "C",
    "choice_key" TEXT COLLATE "C",
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retention_assignments_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "retained_documents" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "document_id" TEXT COLLATE "C" NOT NULL,
    "policy_id" TEXT COLLATE "C" NOT NULL,
    "until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retained_documents_pkey" PRIMARY KEY ("organization_id","document_id","policy_id")
);

-- CreateTable
CREATE TABLE "disposals" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "policy_id" TEXT COLLATE "C" NOT NULL,
    "policy_name" TEXT COLLATE "C" NOT NULL,
    "document_count" INTEGER NOT NULL,
    "bytes_freed" BIGINT NOT NULL,
    "certificate" TEXT COLLATE "C" NOT NULL,
    "sha256" BYTEA NOT NULL,
    "seal" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "disposals_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "retention_policies_id_key" ON "retention_policies"("id");

-- CreateIndex
CREATE UNIQUE INDEX "retention_policies_organization_id_name_key_key" ON "retention_policies"("organization_id", "name_key");

-- CreateIndex
CREATE UNIQUE INDEX "retention_assignments_id_key" ON "retention_assignments"("id");

-- CreateIndex
CREATE INDEX "retention_assignments_organization_id_project_id_idx" ON "retention_assignments"("organization_id", "project_id");

-- CreateIndex
CREATE INDEX "retention_assignments_organization_id_folder_id_idx" ON "retention_assignments"("organization_id", "folder_id");

-- CreateIndex
CREATE UNIQUE INDEX "retention_assignments_organization_id_policy_id_scope_targe_key" ON "retention_assignments"("organization_id", "policy_id", "scope", "target");

-- CreateIndex
CREATE INDEX "retained_documents_organization_id_policy_id_idx" ON "retained_documents"("organization_id", "policy_id");

-- CreateIndex
CREATE UNIQUE INDEX "disposals_id_key" ON "disposals"("id");

-- CreateIndex
CREATE INDEX "disposals_organization_id_created_at_id_idx" ON "disposals"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "processes_organization_id_retention_policy_id_idx" ON "processes"("organization_id", "retention_policy_id");

-- AddForeignKey
ALTER TABLE "retention_policies" ADD CONSTRAINT "retention_policies_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_policies" ADD CONSTRAINT "retention_policies_organization_id_field_id_fkey" FOREIGN KEY ("organization_id", "field_id") REFERENCES "fields"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_policies" ADD CONSTRAINT "retention_policies_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_policies" ADD CONSTRAINT "retention_policies_organization_id_review_group_id_fkey" FOREIGN KEY ("organization_id", "review_group_id") REFERENCES "groups"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_policies" ADD CONSTRAINT "retention_policies_locked_by_id_fkey" FOREIGN KEY ("locked_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_policies" ADD CONSTRAINT "retention_policies_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_policies" ADD CONSTRAINT "retention_policies_modified_by_id_fkey" FOREIGN KEY ("modified_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_assignments" ADD CONSTRAINT "retention_assignments_organization_id_policy_id_fkey" FOREIGN KEY ("organization_id", "policy_id") REFERENCES "retention_policies"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_assignments" ADD CONSTRAINT "retention_assignments_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_assignments" ADD CONSTRAINT "retention_assignments_organization_id_folder_id_fkey" FOREIGN KEY ("organization_id", "folder_id") REFERENCES "folders"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_assignments" ADD CONSTRAINT "retention_assignments_organization_id_field_id_fkey" FOREIGN KEY ("organization_id", "field_id") REFERENCES "fields"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retention_assignments" ADD CONSTRAINT "retention_assignments_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retained_documents" ADD CONSTRAINT "retained_documents_organization_id_document_id_fkey" FOREIGN KEY ("organization_id", "document_id") REFERENCES "documents"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "retained_documents" ADD CONSTRAINT "retained_documents_organization_id_policy_id_fkey" FOREIGN KEY ("organization_id", "policy_id") REFERENCES "retention_policies"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "disposals" ADD CONSTRAINT "disposals_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "processes" ADD CONSTRAINT "processes_organization_id_retention_policy_id_fkey" FOREIGN KEY ("organization_id", "retention_policy_id") REFERENCES "retention_policies"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

ALTER TABLE retention_policies ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE retention_assignments ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE retained_documents ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE disposals ALTER COLUMN organization_id SET (n_distinct = 1);

ALTER TABLE retention_policies ADD CONSTRAINT retention_policies_keep CHECK (
    (keep_months IS NULL OR keep_days IS NULL) AND coalesce(keep_months, keep_days, 1) > 0 AND review_again_months > 0);
ALTER TABLE retention_policies ADD CONSTRAINT retention_policies_field CHECK (
    (starts_from = 'FIELD') = (field_id IS NOT NULL) AND (field_id IS NULL) = (project_id IS NULL));
ALTER TABLE retention_policies ADD CONSTRAINT retention_policies_review CHECK (
    (action = 'REVIEW') = (review_group_id IS NOT NULL) AND review_need > 0);
ALTER TABLE retention_policies ADD CONSTRAINT retention_policies_locked CHECK ((locked_at IS NULL) = (locked_by_id IS NULL));

ALTER TABLE retention_assignments ADD CONSTRAINT retention_assignments_scope CHECK (
    (scope = 'FOLDER') = (folder_id IS NOT NULL) AND (scope = 'ORGANIZATION') = (project_id IS NULL)
    AND (scope = 'CHOICE') = (field_id IS NOT NULL AND choice IS NOT NULL AND choice_key IS NOT NULL));
