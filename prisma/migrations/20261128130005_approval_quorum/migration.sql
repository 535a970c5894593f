-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "need" INTEGER,
ADD COLUMN     "veto" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "process_steps" ADD COLUMN     "need" INTEGER,
ADD COLUMN     "veto" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "process_step_groups" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "step_id" TEXT COLLATE "C" NOT NULL,
    "group_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "process_step_groups_pkey" PRIMARY KEY ("organization_id","step_id","group_id")
);

-- CreateIndex
CREATE INDEX "process_step_groups_organization_id_group_id_idx" ON "process_step_groups"("organization_id", "group_id");

-- AddForeignKey
ALTER TABLE "process_step_groups" ADD CONSTRAINT "process_step_groups_organization_id_step_id_fkey" FOREIGN KEY ("organization_id", "step_id") REFERENCES "process_steps"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_step_groups" ADD CONSTRAINT "process_step_groups_organization_id_group_id_fkey" FOREIGN KEY ("organization_id", "group_id") REFERENCES "groups"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
ALTER TABLE process_step_groups ALTER COLUMN organization_id SET (n_distinct = 1);
