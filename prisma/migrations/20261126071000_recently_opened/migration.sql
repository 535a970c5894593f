-- CreateTable
CREATE TABLE "opened_documents" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "document_id" TEXT COLLATE "C" NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "opened_documents_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "opened_documents_id_key" ON "opened_documents"("id");

-- CreateIndex
CREATE INDEX "opened_documents_organization_id_user_id_opened_at_id_idx" ON "opened_documents"("organization_id", "user_id", "opened_at", "id");

-- CreateIndex
CREATE INDEX "opened_documents_organization_id_document_id_idx" ON "opened_documents"("organization_id", "document_id");

-- CreateIndex
CREATE UNIQUE INDEX "opened_documents_organization_id_user_id_document_id_key" ON "opened_documents"("organization_id", "user_id", "document_id");

-- AddForeignKey
ALTER TABLE "opened_documents" ADD CONSTRAINT "opened_documents_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "opened_documents" ADD CONSTRAINT "opened_documents_organization_id_document_id_fkey" FOREIGN KEY ("organization_id", "document_id") REFERENCES "documents"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
ALTER TABLE opened_documents ALTER COLUMN organization_id SET (n_distinct = 1);
