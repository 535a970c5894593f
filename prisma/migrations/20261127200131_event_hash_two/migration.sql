-- AlterTable
ALTER TABLE "event_heads" ADD COLUMN     "recorded_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "hash_version" SMALLINT NOT NULL DEFAULT 1,
ADD COLUMN     "salt" BYTEA;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
