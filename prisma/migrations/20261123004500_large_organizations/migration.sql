-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- PostgreSQL reckons with as many rows as an organization has on average. Among many small ones that is one row, so that any
-- index that begins with the organization seems as good as the key, and every look-up reads all that a large one has.
-- Plans are to be those of the largest there is: what is in one organization is taken for all there is.
DO $$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT c.oid::regclass AS name, pg_relation_size(c.oid) > 0 AS filled
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attname = 'organization_id' AND NOT a.attisdropped
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN organization_id SET (n_distinct = 1)', each.name);
    IF each.filled THEN EXECUTE format('ANALYZE %s', each.name); END IF;
  END LOOP;
END $$;
