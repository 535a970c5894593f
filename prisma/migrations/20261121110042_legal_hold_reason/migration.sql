-- AlterTable
ALTER TABLE "documents" ADD COLUMN     "legal_hold_reason" TEXT COLLATE "C";

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
