-- AlterTable
ALTER TABLE "events" ADD COLUMN     "via" TEXT COLLATE "C";

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
