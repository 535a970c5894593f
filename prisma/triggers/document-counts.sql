-- Numbers of documents and pages of a project, in as many rows (slots) as transactions write at the same time: none waits for
-- another. src/domain/projects/project-totals.ts adds them up.

CREATE OR REPLACE FUNCTION document_counts_add(tenant text, project text, actives bigint, recycleds bigint, paged bigint) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off AS $$
BEGIN
  UPDATE document_counts c SET active = active + actives, recycled = recycled + recycleds, pages = pages + paged
  WHERE c.organization_id = tenant AND c.project_id = project AND c.slot = (
    SELECT f.slot FROM document_counts f WHERE f.organization_id = tenant AND f.project_id = project
    LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    -- Documents that go together with their project leave none behind.
    INSERT INTO document_counts (organization_id, project_id, active, recycled, pages)
    SELECT p.organization_id, p.id, actives, recycleds, paged FROM projects p
    WHERE p.organization_id = tenant AND p.id = project;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION document_counts_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM document_counts_add(organization_id, project_id, count(*) FILTER (WHERE state = 'ACTIVE'),
      count(*) FILTER (WHERE state = 'RECYCLED'), coalesce(sum(page_count) FILTER (WHERE state = 'ACTIVE'), 0))
    FROM added GROUP BY organization_id, project_id;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM document_counts_add(organization_id, project_id, -count(*) FILTER (WHERE state = 'ACTIVE'),
      -count(*) FILTER (WHERE state = 'RECYCLED'), -coalesce(sum(page_count) FILTER (WHERE state = 'ACTIVE'), 0))
    FROM removed GROUP BY organization_id, project_id;
  ELSE
    PERFORM document_counts_add(organization_id, project_id, more.actives, more.recycleds, more.paged) FROM (
      SELECT organization_id, project_id, sum(sign) FILTER (WHERE state = 'ACTIVE') AS actives,
        sum(sign) FILTER (WHERE state = 'RECYCLED') AS recycleds,
        sum(sign * page_count) FILTER (WHERE state = 'ACTIVE') AS paged
      FROM (SELECT 1 AS sign, * FROM added UNION ALL SELECT -1, * FROM removed) changed
      GROUP BY organization_id, project_id) sums,
    LATERAL (SELECT coalesce(actives, 0) AS actives, coalesce(recycleds, 0) AS recycleds, coalesce(paged, 0) AS paged) more
    WHERE (more.actives, more.recycleds, more.paged) <> (0, 0, 0);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_delete AFTER DELETE ON documents
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION document_counts_follow();

CREATE OR REPLACE TRIGGER count_insert AFTER INSERT ON documents
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION document_counts_follow();

CREATE OR REPLACE TRIGGER count_update AFTER UPDATE ON documents
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION document_counts_follow();
