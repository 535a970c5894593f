-- AlterEnum
ALTER TYPE "scope" ADD VALUE 'members:write' AFTER 'organizations:write';

-- AlterTable
ALTER TABLE "project_invitations" ADD COLUMN     "client_id" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "project_invitations_client_id_created_by_id_idx" ON "project_invitations"("client_id", "created_by_id");

-- AddForeignKey
ALTER TABLE "project_invitations" ADD CONSTRAINT "project_invitations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
