-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "expires_at" TIMESTAMPTZ(3) NOT NULL DEFAULT (now() + '7 days'::interval),
ADD COLUMN     "resends" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "resent_by_id" TEXT COLLATE "C",
ADD COLUMN     "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_resent_by_id_fkey" FOREIGN KEY ("resent_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
