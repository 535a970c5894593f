-- AlterTable
ALTER TABLE "signature_sessions" ADD COLUMN     "project_id" TEXT COLLATE "C";
UPDATE signature_sessions g SET project_id = d.project_id FROM documents d
  WHERE d.organization_id = g.organization_id AND d.id = g.document_id;
ALTER TABLE "signature_sessions" ALTER COLUMN "project_id" SET NOT NULL;

-- CreateIndex
CREATE INDEX "approvals_organization_id_created_at_id_idx" ON "approvals"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "approvals_organization_id_state_created_at_id_idx" ON "approvals"("organization_id", "state", "created_at", "id");

-- CreateIndex
CREATE INDEX "process_runs_organization_id_created_by_id_idx" ON "process_runs"("organization_id", "created_by_id");

-- CreateIndex
CREATE INDEX "signature_sessions_organization_id_project_id_created_at_id_idx" ON "signature_sessions"("organization_id", "project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "signature_sessions_organization_id_project_id_state_created_idx" ON "signature_sessions"("organization_id", "project_id", "state", "created_at", "id");

-- AddForeignKey
ALTER TABLE "signature_sessions" ADD CONSTRAINT "signature_sessions_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Processes of the version before write no project_id.
CREATE FUNCTION set_session_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.project_id := (SELECT d.project_id FROM documents d
    WHERE d.organization_id = NEW.organization_id AND d.id = NEW.document_id);
  RETURN NEW;
END $$;
CREATE TRIGGER signature_sessions_project BEFORE INSERT ON signature_sessions
  FOR EACH ROW WHEN (NEW.project_id IS NULL) EXECUTE FUNCTION set_session_project();
