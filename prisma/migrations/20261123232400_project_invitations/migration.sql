-- CreateTable
CREATE TABLE "project_invitations" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "invitation_id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "role" "project_role" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_invitations_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "project_invitations_id_key" ON "project_invitations"("id");

-- CreateIndex
CREATE INDEX "project_invitations_organization_id_project_id_created_at_i_idx" ON "project_invitations"("organization_id", "project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "project_invitations_organization_id_invitation_id_idx" ON "project_invitations"("organization_id", "invitation_id");

-- CreateIndex
CREATE UNIQUE INDEX "project_invitations_organization_id_project_id_invitation_i_key" ON "project_invitations"("organization_id", "project_id", "invitation_id");

-- AddForeignKey
ALTER TABLE "project_invitations" ADD CONSTRAINT "project_invitations_organization_id_invitation_id_fkey" FOREIGN KEY ("organization_id", "invitation_id") REFERENCES "invitations"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_invitations" ADD CONSTRAINT "project_invitations_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_invitations" ADD CONSTRAINT "project_invitations_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
ALTER TABLE project_invitations ALTER COLUMN organization_id SET (n_distinct = 1);
