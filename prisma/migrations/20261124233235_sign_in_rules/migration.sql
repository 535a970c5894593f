-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "requires_second_factor" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "sign_ins" ADD COLUMN     "device_hash" BYTEA,
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "new_sign_in_mails" BOOLEAN NOT NULL DEFAULT true;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
