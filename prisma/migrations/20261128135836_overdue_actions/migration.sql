-- CreateEnum
CREATE TYPE "overdue_action" AS ENUM ('REMIND', 'ESCALATE', 'DECLINE');

-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "on_overdue" "overdue_action" NOT NULL DEFAULT 'REMIND';

-- AlterTable
ALTER TABLE "process_steps" ADD COLUMN     "escalate_group_id" TEXT COLLATE "C",
ADD COLUMN     "on_overdue" "overdue_action" NOT NULL DEFAULT 'REMIND';

-- CreateTable
CREATE TABLE "process_step_escalations" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "step_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "process_step_escalations_pkey" PRIMARY KEY ("organization_id","step_id","user_id")
);

-- CreateIndex
CREATE INDEX "process_step_escalations_organization_id_user_id_idx" ON "process_step_escalations"("organization_id", "user_id");

-- AddForeignKey
ALTER TABLE "process_steps" ADD CONSTRAINT "process_steps_organization_id_escalate_group_id_fkey" FOREIGN KEY ("organization_id", "escalate_group_id") REFERENCES "groups"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_step_escalations" ADD CONSTRAINT "process_step_escalations_organization_id_step_id_fkey" FOREIGN KEY ("organization_id", "step_id") REFERENCES "process_steps"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_step_escalations" ADD CONSTRAINT "process_step_escalations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_step_escalations" ADD CONSTRAINT "process_step_escalations_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
ALTER TABLE process_step_escalations ALTER COLUMN organization_id SET (n_distinct = 1);
