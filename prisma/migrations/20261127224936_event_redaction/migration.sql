-- AlterTable
ALTER TABLE "events" ADD COLUMN     "data_hash" BYTEA,
ADD COLUMN     "redacted_by_id" TEXT COLLATE "C";

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

CREATE OR REPLACE FUNCTION search_refresh_comments(subjects text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE search_entries e SET said = w.words FROM (
    SELECT n.subject_id,
      search_vector(n.organization_id, coalesce(string_agg(v.data ->> 'text', E'\x1f' ORDER BY v.sequence DESC), ''), '') AS words
    FROM search_entries n LEFT JOIN events v ON v.organization_id = n.organization_id AND v.subject_id = n.subject_id
      AND v.kind IN ('document.commented', 'task.commented')
    WHERE n.subject_id = ANY (subjects) GROUP BY n.organization_id, n.subject_id) w
  WHERE e.subject_id = w.subject_id AND e.said <> w.words;
END $$;

CREATE OR REPLACE FUNCTION search_after_redaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_refresh_comments((SELECT array_agg(DISTINCT c.subject_id) FROM changed c
    WHERE c.kind IN ('document.commented', 'task.commented')));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER search_redaction AFTER UPDATE ON events
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_redaction();
