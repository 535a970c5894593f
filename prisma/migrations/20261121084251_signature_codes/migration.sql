-- AlterTable
ALTER TABLE "signature_recipients" ADD COLUMN     "code_passed_at" TIMESTAMPTZ(3),
ADD COLUMN     "code_tries" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "code_tries_from" TIMESTAMPTZ(3);

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
