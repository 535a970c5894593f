-- AlterTable
ALTER TABLE "project_members" ADD COLUMN     "own_role" "project_role";

-- CreateTable
CREATE TABLE "project_groups" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "group_id" TEXT COLLATE "C" NOT NULL,
    "role" "project_role" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_groups_pkey" PRIMARY KEY ("organization_id","project_id","group_id")
);

-- CreateIndex
CREATE INDEX "project_groups_organization_id_group_id_project_id_idx" ON "project_groups"("organization_id", "group_id", "project_id");

-- AddForeignKey
ALTER TABLE "project_groups" ADD CONSTRAINT "project_groups_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_groups" ADD CONSTRAINT "project_groups_organization_id_group_id_fkey" FOREIGN KEY ("organization_id", "group_id") REFERENCES "groups"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_groups" ADD CONSTRAINT "project_groups_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
ALTER TABLE project_groups ALTER COLUMN organization_id SET (n_distinct = 1);
UPDATE project_members SET own_role = role;

CREATE OR REPLACE FUNCTION member_own_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM group_members gm JOIN project_groups pg
      ON pg.organization_id = gm.organization_id AND pg.group_id = gm.group_id
      WHERE gm.organization_id = NEW.organization_id AND gm.user_id = NEW.user_id AND pg.project_id = NEW.project_id) THEN
    NEW.own_role := NEW.role;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER member_own_role BEFORE INSERT ON project_members
  FOR EACH ROW WHEN (NEW.own_role IS NULL) EXECUTE FUNCTION member_own_role();

CREATE OR REPLACE TRIGGER member_changed_role BEFORE UPDATE OF role ON project_members
  FOR EACH ROW WHEN (NEW.role <> OLD.role AND NEW.own_role IS NOT DISTINCT FROM OLD.own_role) EXECUTE FUNCTION member_own_role();
