-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- References between rows of one table, and the one that closes a circle of tables: an import of an organization
-- (src/domain/archive) inserts such rows in any order, and has them checked at the end of its transaction. For all others
-- they are checked with each statement, as before.
ALTER TABLE projects ALTER CONSTRAINT projects_organization_id_source_id_fkey DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE folders ALTER CONSTRAINT folders_organization_id_project_id_parent_id_fkey DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE fields ALTER CONSTRAINT fields_organization_id_parent_id_fkey DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE tasks ALTER CONSTRAINT tasks_organization_id_parent_id_fkey DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE tasks ALTER CONSTRAINT tasks_organization_id_run_id_fkey DEFERRABLE INITIALLY IMMEDIATE;
