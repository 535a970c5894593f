-- CreateEnum
CREATE TYPE "state_kind" AS ENUM ('PROJECT', 'FOLDER', 'DOCUMENT', 'FIELD');

-- AlterTable
ALTER TABLE "event_heads" ADD COLUMN     "states_since" BIGINT,
ADD COLUMN     "states_until" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "state_hash" BYTEA;

-- CreateTable
CREATE TABLE "states" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "from_sequence" BIGINT NOT NULL,
    "kind" "state_kind" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "parent_id" TEXT COLLATE "C",
    "body" JSONB,
    "salt" BYTEA,
    "hash" BYTEA,

    CONSTRAINT "states_pkey" PRIMARY KEY ("organization_id","subject_id","from_sequence")
);

-- CreateTable
CREATE TABLE "state_people" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C",

    CONSTRAINT "state_people_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE INDEX "states_organization_id_project_id_kind_from_sequence_idx" ON "states"("organization_id", "project_id", "kind", "from_sequence");

-- CreateIndex
CREATE INDEX "states_organization_id_parent_id_kind_from_sequence_idx" ON "states"("organization_id", "parent_id", "kind", "from_sequence");

-- CreateIndex
CREATE UNIQUE INDEX "state_people_organization_id_email_key" ON "state_people"("organization_id", "email");

-- AddForeignKey
ALTER TABLE "states" ADD CONSTRAINT "states_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "state_people" ADD CONSTRAINT "state_people_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

ALTER TABLE states ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE state_people ALTER COLUMN organization_id SET (n_distinct = 1);

-- For the states of an event. Partial, so that the last state of an item, which asks for no hash, is never looked for along it.
CREATE INDEX states_organization_id_from_sequence_idx ON states (organization_id, from_sequence) WHERE hash IS NOT NULL;
