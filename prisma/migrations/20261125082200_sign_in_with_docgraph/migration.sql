-- AlterEnum
ALTER TYPE "key_purpose" ADD VALUE 'ID_TOKEN';

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "scope" ADD VALUE 'openid';
ALTER TYPE "scope" ADD VALUE 'profile';
ALTER TYPE "scope" ADD VALUE 'email';

-- AlterTable
ALTER TABLE "authorization_codes" ADD COLUMN     "auth_time" TIMESTAMPTZ(3),
ADD COLUMN     "nonce" TEXT COLLATE "C",
ADD COLUMN     "sign_in_id" TEXT COLLATE "C";

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
