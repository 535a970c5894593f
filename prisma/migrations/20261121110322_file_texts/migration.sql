-- AlterTable
ALTER TABLE "blobs" ADD COLUMN     "text_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "text_claims" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "text_error" TEXT COLLATE "C",
ADD COLUMN     "text_next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "text_status" "text_status" NOT NULL DEFAULT 'PENDING';

-- AlterTable
ALTER TABLE "documents" DROP COLUMN "text_status";

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- What is due, soonest first.
CREATE INDEX blobs_text_next_at ON blobs (text_next_at) WHERE text_status = 'PENDING';

-- The text of files, once for each content, in pieces of at most 16,000 characters: a vector counts no more places, and
-- holds no more than a megabyte. A form feed in a text begins the next page; first_page is the one that a piece begins on,
-- null in a file that has no pages. Documents are found through the blob of their newest revision, at every search.
CREATE TABLE search_texts (
  organization_id TEXT COLLATE "C" NOT NULL,
  blob_id         TEXT COLLATE "C" NOT NULL,
  number          INTEGER NOT NULL,
  first_page      INTEGER,
  text            TEXT COLLATE "C" NOT NULL,
  vector          TSVECTOR NOT NULL GENERATED ALWAYS AS (search_vector(organization_id, text, '')) STORED,
  PRIMARY KEY (organization_id, blob_id, number),
  FOREIGN KEY (organization_id, blob_id) REFERENCES blobs (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX search_texts_vector ON search_texts USING gin (vector) WITH (fastupdate = off);

-- The documents whose newest file has the words. The vectors lie outside of their rows, which the planner does not
-- reckon with: for a frequent word it would read them all, instead of asking the index.
CREATE FUNCTION search_files(tenant text, words tsquery) RETURNS TABLE (document_id text) LANGUAGE sql STABLE ROWS 200
SET enable_seqscan = off AS $$
  SELECT d.id FROM search_texts x
  JOIN revisions r ON r.organization_id = x.organization_id AND r.blob_id = x.blob_id
  JOIN documents d ON d.organization_id = r.organization_id AND d.id = r.document_id AND d.revision_number = r.number
  WHERE x.organization_id = tenant AND x.vector @@ words
$$;
