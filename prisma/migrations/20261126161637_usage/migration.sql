-- CreateEnum
CREATE TYPE "usage_kind" AS ENUM ('ERROR', 'DEPRECATED');

-- CreateTable
CREATE TABLE "usage_days" (
    "used_by" TEXT COLLATE "C" NOT NULL,
    "day" DATE NOT NULL,
    "requests" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "points" BIGINT NOT NULL,
    "durations" INTEGER[],

    CONSTRAINT "usage_days_pkey" PRIMARY KEY ("used_by","day")
);

-- CreateTable
CREATE TABLE "usage_marks" (
    "used_by" TEXT COLLATE "C" NOT NULL,
    "day" DATE NOT NULL,
    "kind" "usage_kind" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "count" BIGINT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_marks_pkey" PRIMARY KEY ("used_by","day","kind","name")
);

-- CreateIndex
CREATE INDEX "usage_days_day_idx" ON "usage_days"("day");

-- CreateIndex
CREATE INDEX "usage_marks_day_idx" ON "usage_marks"("day");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

ALTER TABLE usage_days ADD CONSTRAINT usage_days_counts CHECK (requests >= 0 AND errors >= 0 AND points >= 0 AND durations IS NOT NULL AND cardinality(durations) <= 100);
ALTER TABLE usage_marks ADD CONSTRAINT usage_marks_count CHECK (count > 0);
