-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- The plans of what the triggers run are kept, also those made while a table was small: none of them may read a whole table.
ALTER FUNCTION search_refresh(text, text[]) SET enable_seqscan = off;

CREATE OR REPLACE FUNCTION search_learn() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO search_vocabulary (organization_id, word)
  SELECT c.organization_id, c.word FROM (
    SELECT DISTINCT c.organization_id, substr(lexeme, 7) AS word FROM changed c, unnest(tsvector_to_array(c.vector)) AS lexeme
    WHERE char_length(lexeme) BETWEEN 9 AND 36 AND lexeme !~ '^.{6}[0-9]*$') c
  WHERE NOT EXISTS (SELECT FROM search_vocabulary v
    WHERE v.organization_id = c.organization_id AND v.word = c.word OFFSET 0);
  RETURN NULL;
END $$;
