-- CreateIndex
CREATE INDEX "approvals_organization_id_project_id_state_item_name_key_id_idx" ON "approvals"("organization_id", "project_id", "state", "item_name_key", "id");

-- CreateIndex
CREATE INDEX "approvals_organization_id_project_id_state_created_at_id_idx" ON "approvals"("organization_id", "project_id", "state", "created_at", "id");

-- CreateIndex
CREATE INDEX "folders_organization_id_created_by_id_project_id_idx" ON "folders"("organization_id", "created_by_id", "project_id");

-- CreateIndex
CREATE INDEX "form_submissions_organization_id_form_template_id_submitted_idx" ON "form_submissions"("organization_id", "form_template_id", "submitted_by_id");

-- CreateIndex
CREATE INDEX "form_templates_organization_id_created_by_id_project_id_idx" ON "form_templates"("organization_id", "created_by_id", "project_id");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
