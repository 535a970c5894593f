-- CreateTable
CREATE TABLE "form_group_shares" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "form_template_id" TEXT COLLATE "C" NOT NULL,
    "group_id" TEXT COLLATE "C" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "form_group_shares_pkey" PRIMARY KEY ("organization_id","form_template_id","group_id")
);

-- CreateIndex
CREATE INDEX "form_group_shares_organization_id_group_id_idx" ON "form_group_shares"("organization_id", "group_id");

-- AddForeignKey
ALTER TABLE "form_group_shares" ADD CONSTRAINT "form_group_shares_organization_id_form_template_id_fkey" FOREIGN KEY ("organization_id", "form_template_id") REFERENCES "form_templates"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_group_shares" ADD CONSTRAINT "form_group_shares_organization_id_group_id_fkey" FOREIGN KEY ("organization_id", "group_id") REFERENCES "groups"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_group_shares" ADD CONSTRAINT "form_group_shares_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
ALTER TABLE form_group_shares ALTER COLUMN organization_id SET (n_distinct = 1);
