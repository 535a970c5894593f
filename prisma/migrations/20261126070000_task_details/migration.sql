-- CreateEnum
CREATE TYPE "duration_unit" AS ENUM ('MINUTE', 'HOUR', 'DAY', 'WEEK');

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "duration_amount" INTEGER,
ADD COLUMN     "duration_unit" "duration_unit";

-- CreateTable
CREATE TABLE "task_tags" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "tag_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "task_tags_pkey" PRIMARY KEY ("organization_id","task_id","tag_id")
);

-- CreateTable
CREATE TABLE "task_stakeholders" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "task_stakeholders_pkey" PRIMARY KEY ("organization_id","task_id","user_id")
);

-- CreateIndex
CREATE INDEX "task_tags_organization_id_tag_id_task_id_idx" ON "task_tags"("organization_id", "tag_id", "task_id");

-- CreateIndex
CREATE INDEX "task_stakeholders_organization_id_user_id_task_id_idx" ON "task_stakeholders"("organization_id", "user_id", "task_id");

-- CreateIndex
CREATE INDEX "tasks_organization_id_project_id_priority_id_idx" ON "tasks"("organization_id", "project_id", "priority", "id");

-- AddForeignKey
ALTER TABLE "task_tags" ADD CONSTRAINT "task_tags_organization_id_task_id_fkey" FOREIGN KEY ("organization_id", "task_id") REFERENCES "tasks"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_tags" ADD CONSTRAINT "task_tags_organization_id_tag_id_fkey" FOREIGN KEY ("organization_id", "tag_id") REFERENCES "tags"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_stakeholders" ADD CONSTRAINT "task_stakeholders_organization_id_task_id_fkey" FOREIGN KEY ("organization_id", "task_id") REFERENCES "tasks"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_stakeholders" ADD CONSTRAINT "task_stakeholders_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

ALTER TABLE tasks ADD CONSTRAINT tasks_duration_check CHECK (
  (duration_amount IS NULL) = (duration_unit IS NULL) AND duration_amount BETWEEN 1 AND 10000);

ALTER TABLE task_tags ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE task_stakeholders ALTER COLUMN organization_id SET (n_distinct = 1);

-- By priority, as the other orders of lists of subtasks and of assigned tasks.
CREATE INDEX tasks_below_priority ON tasks (organization_id, parent_id, priority, id) WHERE parent_id IS NOT NULL;
CREATE INDEX tasks_assigned_priority ON tasks (organization_id, assignee_email, priority, id) WHERE assignee_email IS NOT NULL;

-- Tasks are found by their tags, as documents are.
CREATE OR REPLACE VIEW search_sources AS
  SELECT d.organization_id, d.id AS subject_id, d.project_id, 'DOCUMENT' AS kind, d.state::text AS state, d.name_key, d.folder_id,
    d.created_by_id, d.created_at, coalesce(d.modified_at, d.created_at) AS modified_at,
    search_vector(d.organization_id, d.name_key, 'A')
    || search_vector(d.organization_id, (SELECT string_agg(t.text_key, E'\x1f') FROM document_tags x
      JOIN tags t ON t.organization_id = x.organization_id AND t.id = x.tag_id
      WHERE x.organization_id = d.organization_id AND x.document_id = d.id), 'B')
    || search_vector(d.organization_id, (SELECT string_agg(v.text_key, E'\x1f') FROM document_field_values v
      WHERE v.organization_id = d.organization_id AND v.document_id = d.id), 'C') AS own
  FROM documents d
  UNION ALL
  SELECT f.organization_id, f.id, f.project_id, 'FOLDER', 'ACTIVE', f.name_key, f.parent_id,
    f.created_by_id, f.created_at, coalesce(f.modified_at, f.created_at), search_vector(f.organization_id, f.name_key, 'A')
  FROM folders f
  UNION ALL
  SELECT t.organization_id, t.id, t.project_id, 'TASK', t.state::text, t.name_key, NULL,
    t.created_by_id, t.created_at, coalesce(t.modified_at, t.created_at),
    search_vector(t.organization_id, t.name_key, 'A')
    || search_vector(t.organization_id, (SELECT string_agg(g.text_key, E'\x1f') FROM task_tags x
      JOIN tags g ON g.organization_id = x.organization_id AND g.id = x.tag_id
      WHERE x.organization_id = t.organization_id AND x.task_id = t.id), 'B')
    || search_vector(t.organization_id, t.description, 'C')
  FROM tasks t
  UNION ALL
  SELECT m.organization_id, m.id, m.project_id, 'FORM', m.state::text, m.name_key, NULL,
    m.created_by_id, m.created_at, coalesce(m.modified_at, m.created_at), search_vector(m.organization_id, m.name_key, 'A')
  FROM form_templates m;

CREATE TRIGGER search_insert AFTER INSERT ON task_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('task_id');
CREATE TRIGGER search_update AFTER UPDATE ON task_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('task_id');
CREATE TRIGGER search_delete AFTER DELETE ON task_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('task_id');
