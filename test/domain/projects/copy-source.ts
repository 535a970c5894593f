import { sql } from '../../../src/db/sql/sql.ts';
import { updateDocument } from '../../../src/domain/documents/document-change.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { completeTask } from '../../../src/domain/tasks/task-state.ts';
import { doNext } from '../../../src/jobs/work.ts';
import { newRestWorld } from '../../rest/fixture.ts';
import { jobContext } from '../../support/jobs.ts';

/** A project with something of each kind, and a function that copies it. */
export async function newSource() {
  const world = await newRestWorld();
  const { db, owner, organization, project, folder, document, field, task } = world;
  const ctx = await owner.context();
  await createFolders(ctx, { projectId: project.id, folders: [{ name: 'Below', parentId: folder.id }] });
  await updateDocument(ctx, {
    documentId: document.id,
    assigneeEmails: [owner.email],
    fieldValues: [{ fieldId: field.id, values: ['red'] }],
  });
  const content = {
    ...{ name: 'Part', parentId: task.id, dueAt: new Date('2030-01-02T03:04:05Z'), priority: 5 },
    ...{ tags: ['tag', 'Part'], duration: { amount: 2, unit: 'DAY' as const }, stakeholderIds: [owner.id] },
  };
  const [part] = await createTasks(ctx, { projectId: project.id, tasks: [content] });
  await completeTask(ctx, { taskId: part?.id as string, result: 'done' });
  const copy = async (copyContent: boolean) => {
    const source = { projectId: project.id, copyContent };
    const input = { organizationId: organization.id, projects: [{ name: 'Copy', source }] };
    return (await createProjects(ctx, input))[0]?.id as string;
  };
  const progress = (projectId: string) => db.prisma.projectCopy.findFirstOrThrow({ where: { projectId } });
  const stored = (id: string) => db.prisma.project.findUniqueOrThrow({ where: { id } });
  return { ...world, ctx, copy, progress, stored };
}

/** Adds documents that share a file, by one statement. */
export async function addDocuments(
  { db, project, document }: Awaited<ReturnType<typeof newSource>>,
  count: number,
) {
  const added = sql`WITH added AS (INSERT INTO documents (organization_id, id, project_id, name, name_key, revision_number,
      content_type, size, created_by_id)
    SELECT organization_id, id || '_' || n, project_id, 'File ' || n, 'file ' || n, 1, content_type, size, created_by_id
    FROM documents, generate_series(1, ${count}::int) AS n WHERE id = ${document.id} RETURNING organization_id, id, created_by_id)
    INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, size, created_by_id)
    SELECT r.organization_id, 'rev_' || a.id, a.id, 1, r.blob_id, 'File', r.content_type, r.size, a.created_by_id
    FROM added a CROSS JOIN revisions r WHERE r.document_id = ${document.id} AND r.number = 1`;
  await db.query(added);
  return project.id;
}

export const copyNext = async () => doNext(await jobContext(), 'copyProject');

export async function copyRest() {
  while (await copyNext());
}
