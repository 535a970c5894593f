-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Few documents are signed, or made by something else than an upload: lists of them start here.
CREATE INDEX documents_signed ON documents (organization_id, project_id) WHERE signed_at IS NOT NULL;
CREATE INDEX documents_made ON documents (organization_id, origin, project_id) WHERE origin <> 'UPLOAD';
