-- CreateEnum
CREATE TYPE "signature_stop_reason" AS ENUM ('SENDER', 'DECLINED', 'WITHDRAWN');

-- DropIndex
DROP INDEX "folders_link_id_key";

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "ancestor_ids" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "client_id" TEXT COLLATE "C";

-- The links in use stay as they are. Only the server has the key: it seals them when it starts (domain/folder-link.ts).
ALTER TABLE "folders" RENAME COLUMN "link_id" TO "link_sealed";

-- AlterTable
ALTER TABLE "form_submissions" ADD COLUMN     "client_id" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "client_id" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "signature_recipients" ADD COLUMN     "code_failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "code_locked_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "signature_sessions" ADD COLUMN     "stop_reason" "signature_stop_reason";

-- CreateIndex
CREATE INDEX "invitations_client_id_created_by_id_idx" ON "invitations"("client_id", "created_by_id");

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

CREATE INDEX folders_unsealed ON folders (organization_id, id) WHERE NOT starts_with(link_sealed, 'sealed:');

-- What applications created, from the events: it lasts as long as its creator allows the application something. Where
-- that has ended already, or was swept with its grant, the invitation ends here.
UPDATE invitations i SET client_id = g.client_id FROM events e JOIN grants g ON g.id = e.credential_id
WHERE e.organization_id = i.organization_id AND e.subject_id = i.id AND e.kind = 'invitation.created';

DELETE FROM invitations i USING events e
WHERE e.organization_id = i.organization_id AND e.subject_id = i.id AND e.kind = 'invitation.created'
AND starts_with(e.credential_id, 'gra_') AND NOT EXISTS (SELECT FROM grants g JOIN clients c ON c.id = g.client_id
  WHERE g.client_id = i.client_id AND g.user_id = i.created_by_id AND g.revoked_at IS NULL AND c.deleted_at IS NULL);

ALTER TABLE signature_recipients ADD CONSTRAINT signature_recipients_code_failures CHECK (code_failures >= 0);
ALTER TABLE signature_sessions ADD CONSTRAINT signature_sessions_stop_reason CHECK (stop_reason IS NULL OR state = 'STOPPED');
