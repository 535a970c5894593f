-- AlterTable
ALTER TABLE "grants" ADD COLUMN     "limited_to" JSONB;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

ALTER TABLE grants ADD CONSTRAINT grants_limited_to CHECK (limited_to IS NULL OR jsonb_typeof(limited_to) = 'object');
