-- AlterEnum
ALTER TYPE "approval_state" ADD VALUE 'WITHDRAWN';

-- DropIndex
DROP INDEX "process_steps_organization_id_process_id_rank_key";

-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "distinct_from_earlier" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "exclude_requester" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "process_steps" ADD COLUMN     "distinct_from_earlier" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "exclude_requester" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "process_steps_organization_id_process_id_rank_id_idx" ON "process_steps"("organization_id", "process_id", "rank", "id");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
