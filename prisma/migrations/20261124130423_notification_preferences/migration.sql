-- CreateEnum
CREATE TYPE "notification_delivery" AS ENUM ('NOTHING', 'INBOX', 'MAIL');

-- CreateTable
CREATE TABLE "notification_preferences" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "delivery" "notification_delivery" NOT NULL,

    CONSTRAINT "notification_preferences_pkey" PRIMARY KEY ("user_id","kind")
);

-- AddForeignKey
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
