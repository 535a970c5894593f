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
    "to_sequence" BIGINT NOT NULL DEFAULT 9223372036854775807,
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
CREATE INDEX "states_organization_id_from_sequence_idx" ON "states"("organization_id", "from_sequence");

-- CreateIndex
CREATE UNIQUE INDEX "state_people_organization_id_email_key" ON "state_people"("organization_id", "email");

-- AddForeignKey
ALTER TABLE "states" ADD CONSTRAINT "states_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "state_people" ADD CONSTRAINT "state_people_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

CREATE OR REPLACE FUNCTION state_bodies(tenant text, ids text[])
RETURNS TABLE (subject_id text, kind state_kind, project_id text, parent_id text, body jsonb) LANGUAGE sql STABLE
SET timezone = 'UTC' AS $$
  SELECT p.id, 'PROJECT'::state_kind, p.id, NULL::text, to_jsonb(p) || jsonb_build_object('settings', to_jsonb(s))
  FROM projects p LEFT JOIN project_settings s ON s.organization_id = p.organization_id AND s.project_id = p.id
  WHERE p.organization_id = tenant AND p.id = ANY(ids)
  UNION ALL
  SELECT f.id, 'FOLDER', f.project_id, f.parent_id, (to_jsonb(f) - 'link_sealed') || jsonb_build_object('assignees', (
    SELECT coalesce(jsonb_agg(w.id ORDER BY w.id), '[]') FROM folder_assignments a
    LEFT JOIN state_people w ON w.organization_id = a.organization_id AND w.email = a.email
    WHERE a.organization_id = f.organization_id AND a.folder_id = f.id))
  FROM folders f WHERE f.organization_id = tenant AND f.id = ANY(ids)
  UNION ALL
  SELECT d.id, 'DOCUMENT', d.project_id, d.folder_id, (to_jsonb(d) - 'page_count') || jsonb_build_object(
    'assignees', (SELECT coalesce(jsonb_agg(w.id ORDER BY w.id), '[]') FROM document_assignments a
      LEFT JOIN state_people w ON w.organization_id = a.organization_id AND w.email = a.email
      WHERE a.organization_id = d.organization_id AND a.document_id = d.id),
    'tags', (SELECT coalesce(jsonb_agg(x.tag_id ORDER BY x.tag_id), '[]') FROM document_tags x
      WHERE x.organization_id = d.organization_id AND x.document_id = d.id),
    'values', (SELECT coalesce(jsonb_agg(to_jsonb(v) - 'organization_id' - 'document_id' ORDER BY v.field_id, v.position), '[]')
      FROM document_field_values v WHERE v.organization_id = d.organization_id AND v.document_id = d.id))
  FROM documents d WHERE d.organization_id = tenant AND d.id = ANY(ids)
  UNION ALL
  SELECT c.id, 'FIELD', c.project_id, c.parent_id, to_jsonb(c)
  FROM fields c WHERE c.organization_id = tenant AND c.id = ANY(ids)
$$;

CREATE OR REPLACE FUNCTION add_state_people(tenant text, ids text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO state_people (organization_id, id, email)
  SELECT tenant, gen_random_uuid()::text, a.email FROM (
    SELECT d.email FROM document_assignments d WHERE d.organization_id = tenant AND d.document_id = ANY(ids)
    UNION SELECT f.email FROM folder_assignments f WHERE f.organization_id = tenant AND f.folder_id = ANY(ids)) a
  WHERE NOT EXISTS (SELECT FROM state_people w WHERE w.organization_id = tenant AND w.email = a.email)
$$;

CREATE OR REPLACE FUNCTION changed_states(tenant text, ids text[])
RETURNS TABLE (subject_id text, kind state_kind, project_id text, parent_id text, body text) LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM add_state_people(tenant, ids);
  RETURN QUERY SELECT i.id, coalesce(b.kind, s.kind), coalesce(b.project_id, s.project_id), b.parent_id, b.body::text
    FROM unnest(ids) i(id)
    LEFT JOIN state_bodies(tenant, ids) b ON b.subject_id = i.id
    LEFT JOIN LATERAL (SELECT c.kind, c.project_id, c.body FROM states c
      WHERE c.organization_id = tenant AND c.subject_id = i.id ORDER BY c.from_sequence DESC LIMIT 1) s ON true
    WHERE s.body IS DISTINCT FROM b.body;
END $$;

ALTER TABLE states ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE state_people ALTER COLUMN organization_id SET (n_distinct = 1);
-- Room for `to_sequence`, so that the end of a state writes no index.
ALTER TABLE states SET (fillfactor = 85);
