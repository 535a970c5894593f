-- AlterTable
ALTER TABLE "signature_sessions" ADD COLUMN     "seal_validated_at" TIMESTAMPTZ(3);

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
