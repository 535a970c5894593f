-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- The lists of a project's documents by when they were changed, by size, and of its recycle bin by when they came there:
-- each order as the list asks for it.
CREATE INDEX documents_active_modified ON documents (organization_id, project_id, coalesce(modified_at, created_at), id) WHERE state = 'ACTIVE';
CREATE INDEX documents_active_size ON documents (organization_id, project_id, size, id) WHERE state = 'ACTIVE';
DROP INDEX documents_recycled;
CREATE INDEX documents_recycled ON documents (organization_id, project_id, coalesce(recycled_at, created_at), id) WHERE state = 'RECYCLED';
