-- CreateTable
CREATE TABLE "recurring_work" (
    "work" TEXT COLLATE "C" NOT NULL,
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recurring_work_pkey" PRIMARY KEY ("work")
);

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

INSERT INTO recurring_work (work) VALUES ('sweep');
