-- CreateIndex
CREATE INDEX "documents_organization_id_content_type_project_id_idx" ON "documents"("organization_id", "content_type", "project_id");

-- CreateIndex
CREATE INDEX "tags_organization_id_text_key_idx" ON "tags"("organization_id", "text_key");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- What a search may ask beside words: the rare kinds and states; and a project's own orders.
CREATE INDEX search_entries_uncommon ON search_entries (organization_id, kind, state) WHERE kind <> 'DOCUMENT' OR state <> 'ACTIVE';
CREATE INDEX search_entries_project_name ON search_entries (organization_id, project_id, name_key, subject_id);
CREATE INDEX search_entries_project_modified ON search_entries (organization_id, project_id, modified_at, subject_id);

-- Texts of files are asked for in the statement of the search itself.
DROP FUNCTION search_files;

-- What is held: little of all documents.
CREATE INDEX documents_held ON documents (organization_id, project_id) WHERE legal_hold;
