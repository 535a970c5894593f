-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "scope" ADD VALUE 'organizations:read';
ALTER TYPE "scope" ADD VALUE 'organizations:write';
ALTER TYPE "scope" ADD VALUE 'documents:read';
ALTER TYPE "scope" ADD VALUE 'documents:write';
ALTER TYPE "scope" ADD VALUE 'tasks:read';
ALTER TYPE "scope" ADD VALUE 'tasks:write';
ALTER TYPE "scope" ADD VALUE 'forms:read';
ALTER TYPE "scope" ADD VALUE 'forms:write';
ALTER TYPE "scope" ADD VALUE 'approvals:read';
ALTER TYPE "scope" ADD VALUE 'approvals:write';
ALTER TYPE "scope" ADD VALUE 'signatures:read';
ALTER TYPE "scope" ADD VALUE 'signatures:write';
ALTER TYPE "scope" ADD VALUE 'events:read';
ALTER TYPE "scope" ADD VALUE 'webhooks:write';

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
