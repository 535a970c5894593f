-- CreateIndex
CREATE INDEX "documents_organization_id_created_by_id_project_id_idx" ON "documents"("organization_id", "created_by_id", "project_id");

-- CreateIndex
CREATE INDEX "tasks_organization_id_created_by_id_project_id_idx" ON "tasks"("organization_id", "created_by_id", "project_id");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- The same orders as those of projects, for who sees most of an organization. Every document has a revision: who asks for a
-- project does not say so, and is not given one of these by mistake.
CREATE INDEX documents_everywhere_name ON documents (organization_id, name_key, id)
  WHERE state = 'ACTIVE' AND revision_number > 0;
CREATE INDEX documents_everywhere_size ON documents (organization_id, size, id) WHERE state = 'ACTIVE' AND revision_number > 0;
CREATE INDEX documents_everywhere_modified ON documents (organization_id, coalesce(modified_at, created_at), id)
  WHERE state = 'ACTIVE' AND revision_number > 0;
CREATE INDEX documents_everywhere_recycled ON documents (organization_id, coalesce(recycled_at, created_at), id)
  WHERE state = 'RECYCLED' AND revision_number > 0;
DROP INDEX documents_active_newest;
CREATE INDEX documents_everywhere_created ON documents (organization_id, created_at, id)
  WHERE state = 'ACTIVE' AND revision_number > 0;

-- What members see of an organization without having been added to it.
CREATE INDEX projects_open ON projects (organization_id, id) WHERE access = 'OPEN';

-- The events of each kind in order. The column stands for both, so that no other index looks as if it served as well: most
-- kinds are rarer than PostgreSQL thinks.
CREATE INDEX events_kind ON events ((organization_id || ' ' || kind), sequence);
