-- AlterEnum
ALTER TYPE "notification_delivery" ADD VALUE 'DIGEST';

-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "digest_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "time_zone" TEXT COLLATE "C" NOT NULL DEFAULT 'UTC';

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
CREATE INDEX notifications_digest ON notifications (user_id, digest_at) WHERE digest_at IS NOT NULL AND read_at IS NULL;
