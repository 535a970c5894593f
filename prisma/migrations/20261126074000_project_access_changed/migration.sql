-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "access_changed_at" TIMESTAMPTZ(3);

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Changes made before are in the events.
UPDATE projects p SET access_changed_at = e.changed_at
FROM (SELECT organization_id, subject_id, max(created_at) AS changed_at
      FROM events WHERE kind = 'project.updated' AND data -> 'after' ? 'access' GROUP BY 1, 2) e
WHERE e.organization_id = p.organization_id AND e.subject_id = p.id;
