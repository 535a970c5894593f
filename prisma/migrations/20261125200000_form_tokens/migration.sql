-- AlterTable
ALTER TABLE "form_submissions" ADD COLUMN     "token_hash" BYTEA;

-- CreateIndex
CREATE UNIQUE INDEX "form_submissions_organization_id_form_template_id_token_has_key" ON "form_submissions"("organization_id", "form_template_id", "token_hash");
