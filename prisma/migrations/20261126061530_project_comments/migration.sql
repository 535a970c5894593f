-- CreateIndex
CREATE INDEX "follows_organization_id_user_id_project_id_created_at_id_idx" ON "follows"("organization_id", "user_id", "project_id", "created_at", "id");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Comments are few of the events of a project: its list of comments reads only them, in their order.
CREATE INDEX events_project_comments ON events (organization_id, project_id, sequence) WHERE kind = 'document.commented' OR kind = 'task.commented';
