-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Most words stand in few files, or in none: for these a kept plan is best, which looks each of them up. A frequent one is
-- planned anew, with its joins as a whole. The vectors lie outside of their rows, which the planner does not reckon with:
-- it would read them all, instead of asking the index.
CREATE OR REPLACE FUNCTION search_files(tenant text, words tsquery) RETURNS TABLE (document_id text) LANGUAGE plpgsql STABLE ROWS 200
SET enable_seqscan = off SET work_mem = '16MB' AS $$
DECLARE
  few CONSTANT int := 200;
  found int := (SELECT count(*) FROM (SELECT FROM search_texts x WHERE x.vector @@ words LIMIT few) s);
BEGIN
  IF found = 0 THEN
    RETURN;
  ELSIF found < few THEN
    RETURN QUERY SELECT d.id FROM search_texts x
      CROSS JOIN LATERAL (SELECT r.document_id, r.number FROM revisions r
        WHERE r.organization_id = tenant AND r.blob_id = x.blob_id OFFSET 0) r
      CROSS JOIN LATERAL (SELECT d.id FROM documents d
        WHERE d.organization_id = tenant AND d.id = r.document_id AND d.revision_number = r.number OFFSET 0) d
      WHERE x.organization_id = tenant AND x.vector @@ words;
  ELSE
    RETURN QUERY EXECUTE 'SELECT d.id FROM search_texts x
      JOIN revisions r ON r.organization_id = x.organization_id AND r.blob_id = x.blob_id
      JOIN documents d ON d.organization_id = r.organization_id AND d.id = r.document_id AND d.revision_number = r.number
      WHERE x.organization_id = $1 AND x.vector @@ $2' USING tenant, words;
  END IF;
END $$;
