-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Planned anew for the words of each call: a plan for any words takes a frequent one for rare, and looks up the revision
-- and the document of each of its files one by one. The vectors lie outside of their rows, which the planner does not
-- reckon with: it would read them all, instead of asking the index.
CREATE OR REPLACE FUNCTION search_files(tenant text, words tsquery) RETURNS TABLE (document_id text) LANGUAGE plpgsql STABLE ROWS 200
SET enable_seqscan = off SET work_mem = '16MB' AS $$
BEGIN
  RETURN QUERY EXECUTE 'SELECT d.id FROM search_texts x
    JOIN revisions r ON r.organization_id = x.organization_id AND r.blob_id = x.blob_id
    JOIN documents d ON d.organization_id = r.organization_id AND d.id = r.document_id AND d.revision_number = r.number
    WHERE x.organization_id = $1 AND x.vector @@ $2' USING tenant, words;
END $$;

-- Short texts too lie outside of their rows, so that these are found in few pages. What is there already does when it is
-- written anew (npm run admin -- reindex).
ALTER TABLE search_texts SET (toast_tuple_target = 128);

-- Whoever handed an approval on still sees what it is about: looked up once for each search.
CREATE INDEX approvers_delegated_from ON approvers (delegated_from_id, organization_id) WHERE delegated_from_id IS NOT NULL;
