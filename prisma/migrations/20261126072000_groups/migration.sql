-- CreateTable
CREATE TABLE "groups" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_by_id" TEXT COLLATE "C",
    "modified_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "group_members" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "group_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "group_members_pkey" PRIMARY KEY ("organization_id","group_id","user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "groups_id_key" ON "groups"("id");

-- CreateIndex
CREATE INDEX "groups_organization_id_created_at_id_idx" ON "groups"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "groups_organization_id_name_key_key" ON "groups"("organization_id", "name_key");

-- CreateIndex
CREATE INDEX "group_members_organization_id_user_id_idx" ON "group_members"("organization_id", "user_id");

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_modified_by_id_fkey" FOREIGN KEY ("modified_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_organization_id_group_id_fkey" FOREIGN KEY ("organization_id", "group_id") REFERENCES "groups"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
ALTER TABLE groups ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE group_members ALTER COLUMN organization_id SET (n_distinct = 1);
