-- Writers of releases without groups in projects write the role alone: where no group gives one, it is the person's own.
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
