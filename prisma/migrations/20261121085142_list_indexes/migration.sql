-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- The lists of an organization's documents whatever their project, and of tasks by name and by due time.
CREATE INDEX documents_active_newest ON documents (organization_id, created_at, id) WHERE state = 'ACTIVE';
CREATE INDEX tasks_name ON tasks (organization_id, project_id, name_key, id);
CREATE INDEX tasks_due ON tasks (organization_id, project_id, coalesce(due_at, timestamptz '9999-12-31 23:59:59.999+00'), id);
