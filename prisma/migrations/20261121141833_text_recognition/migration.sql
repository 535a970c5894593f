-- CreateEnum
CREATE TYPE "text_step" AS ENUM ('READ', 'RECOGNIZE');

-- AlterTable
ALTER TABLE "blobs" ADD COLUMN     "text_recognized" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "text_step" "text_step" NOT NULL DEFAULT 'READ';

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- What is due of a step, soonest first.
DROP INDEX blobs_text_next_at;
CREATE INDEX blobs_text_next_at ON blobs (text_step, text_next_at) WHERE text_status = 'PENDING';
