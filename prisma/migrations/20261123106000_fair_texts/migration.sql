-- AlterTable
ALTER TABLE "blobs" ADD COLUMN     "text_leased" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "text_turns" INTEGER NOT NULL DEFAULT 0;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- What is due of a step in each organization: files that are quick before slow ones, before those that have had a turn of
-- recognition, before those that were tried before. domain/text-claim.ts repeats the expression.
DROP INDEX blobs_text_next_at;
CREATE INDEX blobs_text_due ON blobs (text_step, organization_id, (CASE WHEN text_attempts > 0 THEN 3
  WHEN text_turns > 0 THEN 2 WHEN size > 2097152 THEN 1 ELSE 0 END), text_next_at) WHERE text_status = 'PENDING';
CREATE INDEX blobs_text_leased ON blobs (text_step, organization_id) WHERE text_leased;

-- How many milliseconds reading has taken for an organization lately: half of them are forgotten every ten minutes.
CREATE TABLE text_usage (
  organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  step            text_step NOT NULL,
  spent           DOUBLE PRECISION NOT NULL,
  spent_at        TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (organization_id, step)
);

-- The pages of a PDF, from 0, whose text is being recognized, until all of them are: their text, null where none could be
-- recognized, and the milliseconds that took, null while a page waits.
CREATE TABLE recognized_pages (
  organization_id TEXT COLLATE "C" NOT NULL,
  blob_id         TEXT COLLATE "C" NOT NULL,
  page            INTEGER NOT NULL,
  text            TEXT COLLATE "C",
  spent           INTEGER,
  PRIMARY KEY (organization_id, blob_id, page),
  FOREIGN KEY (organization_id, blob_id) REFERENCES blobs (organization_id, id) ON DELETE CASCADE
);

-- As for all tables of organizations: the planner expects the largest of them.
ALTER TABLE recognized_pages ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE text_usage ALTER COLUMN organization_id SET (n_distinct = 1);
