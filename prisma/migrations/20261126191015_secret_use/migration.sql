-- AlterTable
ALTER TABLE "client_secrets" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
