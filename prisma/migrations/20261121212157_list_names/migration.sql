-- CreateIndex
CREATE INDEX "form_templates_organization_id_project_id_name_key_id_idx" ON "form_templates"("organization_id", "project_id", "name_key", "id");

-- CreateIndex
CREATE INDEX "processes_organization_id_project_id_name_key_id_idx" ON "processes"("organization_id", "project_id", "name_key", "id");

-- CreateIndex
CREATE INDEX "signature_form_templates_organization_id_project_id_name_ke_idx" ON "signature_form_templates"("organization_id", "project_id", "name_key", "id");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
