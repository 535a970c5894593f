-- CreateTable
CREATE TABLE "failed_work" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "work" TEXT COLLATE "C" NOT NULL,
    "row_id" TEXT COLLATE "C" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "error" TEXT COLLATE "C" NOT NULL,
    "first_failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_at" TIMESTAMPTZ(3),

    CONSTRAINT "failed_work_pkey" PRIMARY KEY ("organization_id","work","row_id")
);

-- AddForeignKey
ALTER TABLE "failed_work" ADD CONSTRAINT "failed_work_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
ALTER TABLE failed_work ALTER COLUMN organization_id SET (n_distinct = 1);
