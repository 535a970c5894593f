-- AlterTable
ALTER TABLE "signature_recipients" ADD COLUMN     "request_sent_at" TIMESTAMPTZ(3);

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
