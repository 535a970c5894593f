import { beforeAll, describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../src/db/sql/sql.ts';
import { createComments } from '../../src/domain/comments/comment.ts';
import { purgeDocuments, recycleDocuments } from '../../src/domain/documents/document-bin.ts';
import { updateDocument } from '../../src/domain/documents/document-change.ts';
import { createFolders } from '../../src/domain/folders/folder-create.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { sweep } from '../../src/domain/maintenance/sweep.ts';
import { createProjects } from '../../src/domain/projects/project.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { chainFault } from '../support/chain.ts';
import { Fault, Faults, faultyContext } from '../support/faults.ts';
import { newDocuments } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';

let world: Awaited<ReturnType<typeof newWorld>>;
let ctx: Context;

beforeAll(async () => {
  world = await newWorld();
  ctx = await world.owner.context();
});

const documentOf = async (name: string) => {
  const [document] = await newDocuments(ctx, world.project.id, [{ name }]);
  return (document as { id: string }).id;
};

interface Command {
  /** Creates what the command needs, without faults. */
  prepare?: () => Promise<string>;
  run: (ctx: Context, id: string, attempt: string) => Promise<unknown>;
  /** Counts the created objects; after a failure there are `whole` or none. */
  effectCount: (id: string, attempt: string) => Sql;
  whole: number;
}

const COMMANDS: Record<string, Command> = {
  'creates projects': {
    run: (on, _, name) =>
      createProjects(on, { organizationId: world.organization.id, projects: [{ name }, { name }] }),
    effectCount: (_, name) => sql`SELECT count(*)::int AS count FROM projects WHERE name = ${name}`,
    whole: 2,
  },
  'creates folders': {
    run: (on, _, name) =>
      createFolders(on, { projectId: world.project.id, folders: [{ name }, { name: `${name}+` }] }),
    effectCount: (_, name) =>
      sql`SELECT count(*)::int AS count FROM folders WHERE starts_with(name, ${name})`,
    whole: 2,
  },
  'uploads and confirms two files': {
    run: (on, _, name) =>
      newDocuments(on, world.project.id, [
        { name, content: name },
        { name, content: `${name} 2` },
      ]),
    effectCount: (_, name) => sql`SELECT count(*)::int AS count FROM documents WHERE name = ${name}`,
    whole: 2,
  },
  'adds a revision': {
    prepare: () => documentOf('revised'),
    run: (on, documentId, name) => newDocuments(on, world.project.id, [{ name, content: name, documentId }]),
    effectCount: (id) =>
      sql`SELECT count(*)::int AS count FROM revisions WHERE document_id = ${id} AND number > 1`,
    whole: 1,
  },
  'changes a document': {
    prepare: () => documentOf('changed'),
    run: (on, documentId, name) => updateDocument(on, { documentId, name, tags: ['a', 'b'] }),
    effectCount: (id) => sql`
      SELECT count(*)::int AS count FROM events WHERE subject_id = ${id} AND kind = 'document.updated'`,
    whole: 1,
  },
  'recycles a document': {
    prepare: () => documentOf('recycled'),
    run: (on, id) => recycleDocuments(on, { documentIds: [id] }),
    effectCount: (id) =>
      sql`SELECT count(*)::int AS count FROM documents WHERE id = ${id} AND state = 'RECYCLED'`,
    whole: 1,
  },
  'purges a document': {
    prepare: async () => {
      const id = await documentOf('purged');
      await recycleDocuments(ctx, { documentIds: [id] });
      return id;
    },
    run: (on, id) => purgeDocuments(on, { documentIds: [id] }),
    effectCount: (id) => sql`SELECT 1 - count(*)::int AS count FROM documents WHERE id = ${id}`,
    whole: 1,
  },
  'creates tasks': {
    run: (on, _, name) => createTasks(on, { projectId: world.project.id, tasks: [{ name }, { name }] }),
    effectCount: (_, name) => sql`SELECT count(*)::int AS count FROM tasks WHERE name = ${name}`,
    whole: 2,
  },
  comments: {
    prepare: () => documentOf('discussed'),
    run: (on, documentId, text) => createComments(on, { documentId, texts: [text, text, text] }),
    effectCount: (id) => sql`
      SELECT count(*)::int AS count FROM events WHERE subject_id = ${id} AND kind = 'document.commented'`,
    whole: 3,
  },
};

async function requireWhole({ effectCount, whole }: Command, id: string, attempt: string): Promise<number> {
  const [{ count } = { count: -1 }] = await ctx.db.query<{ count: number }>(effectCount(id, attempt));
  expect([0, whole]).toContain(count);
  expect(await chainFault(ctx.db, world.organization.id)).toBeUndefined();
  return count;
}

/** Every revision has a blob row, every blob has bytes, and every document has its newest revision. */
async function requireStored(): Promise<void> {
  const stray = await ctx.db.query(sql`
    SELECT d.id FROM documents d LEFT JOIN revisions r ON r.document_id = d.id AND r.number = d.revision_number
    LEFT JOIN blobs b ON b.organization_id = r.organization_id AND b.id = r.blob_id
    WHERE d.project_id = ${world.project.id} AND (r.id IS NULL OR b.id IS NULL)`);
  expect(stray).toEqual([]);
  const { organizationId } = world.project;
  for (const { id, size } of await ctx.db.prisma.blob.findMany({ where: { organizationId } }))
    expect(await ctx.storage.store.stat(id)).toMatchObject({ size: Number(size), finished: true });
}

let attempts = 0;

async function attempt(command: Command, at: number, when: 'before' | 'after') {
  const faults = new Faults(at, when);
  const [id, name] = [(await command.prepare?.()) ?? '', `attempt ${++attempts}`];
  const failure = await command.run(faultyContext(ctx, faults), id, name).then(
    () => undefined,
    (error) => error,
  );
  return { failure, faults, effects: await requireWhole(command, id, name) };
}

describe.each(Object.entries(COMMANDS))('a command that %s', (_, command) => {
  it.each([
    'before',
    'after',
  ] as const)('commits completely or not at all if any call fails %s its effect', async (when) => {
    for (let at = 1; ; at++) {
      const { failure, faults, effects } = await attempt(command, at, when);
      if (!failure) {
        // The fault was after the last call, so this is the number of calls.
        expect([faults.count, effects]).toEqual([at - 1, command.whole]);
        expect(at).toBeGreaterThan(3);
        return;
      }
      expect(failure).toBeInstanceOf(Fault);
    }
  }, 300_000);
});

it('and no document is without its bytes then, also once the sweep has run', async () => {
  await requireStored();
  await ctx.db.query(
    sql`UPDATE uploads SET expires_at = now() WHERE state IN ('RESERVED', 'RECEIVED') RETURNING id`,
  );
  await sweep(ctx.db, ctx.storage.store);
  await requireStored();
  const blobsBefore = (
    await ctx.db.query<{ id: string }>(sql`SELECT id FROM blobs
      UNION ALL SELECT sealing_blob_id FROM signature_sessions WHERE sealing_blob_id IS NOT NULL`)
  ).map(({ id }) => id);
  for await (const { key } of ctx.storage.store.list()) expect(blobsBefore).toContain(key);
});
