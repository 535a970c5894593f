import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assignRetentionPolicy,
  unassignRetentionPolicy,
} from '../../../src/domain/disposition/assignment-change.ts';
import { lockRetentionPolicy, updateRetentionPolicy } from '../../../src/domain/disposition/policy-change.ts';
import { previewRetention } from '../../../src/domain/disposition/preview.ts';
import { recycleDocuments, restoreDocuments } from '../../../src/domain/documents/document-bin.ts';
import { moveDocuments } from '../../../src/domain/documents/document-change.ts';
import { liftLegalHold, placeLegalHold } from '../../../src/domain/documents/legal-hold.ts';
import { updateFolder } from '../../../src/domain/folders/folder-change.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { DomainError } from '../../../src/domain/kernel/errors.ts';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { newRetentionWorld } from './retention.ts';

const NAMES = ['a', 'b', 'c'];
const MONTHS = [6, 12, 24];

async function setUp() {
  const world = await newRetentionWorld(...NAMES);
  const { db, ctx, project, organization } = world;
  const [outer, other] = await createFolders(ctx, {
    projectId: project.id,
    folders: [{ name: 'Outer' }, { name: 'Other' }],
  });
  const [inner] = await createFolders(ctx, {
    projectId: project.id,
    folders: [{ name: 'Inner', parentId: outer?.id as string }],
  });
  const folders = [null, outer?.id as string, inner?.id as string, other?.id as string];
  const policies = [
    await world.policy({ keep: 'P6M' }),
    await world.policy({ keep: 'P12M', action: 'NOTHING' }),
  ];
  const scopes = [{ wholeOrganization: true }, { projectId: project.id }, { folderId: folders[1] as string }];
  const doc = (n: number) => ({ documentIds: [world.ids[n % 3] as string] });
  const policyId = (n: number) => policies[n % 2]?.id as string;
  /** Each command, by a number that chooses what it is done to. */
  const commands: Record<string, (n: number) => Promise<unknown>> = {
    assign: (n) => assignRetentionPolicy(ctx, { policyId: policyId(n), scope: scopes[n % 3] as object }),
    unassign: async (n) => {
      const assigned = await db.prisma.retentionAssignment.findFirst({ where: { policyId: policyId(n) } });
      if (assigned) await unassignRetentionPolicy(ctx, { assignmentId: assigned.id });
    },
    lock: (n) => lockRetentionPolicy(ctx, { policyId: policyId(n) }),
    keep: (n) => updateRetentionPolicy(ctx, { policyId: policyId(n), keep: `P${MONTHS[n % 3]}M` }),
    move: (n) => moveDocuments(ctx, { ...doc(n), folderId: folders[n % 4] }),
    moveFolder: (n) =>
      updateFolder(ctx, { folderId: folders[2] as string, parentId: folders[n % 2 ? 1 : 3] }),
    hold: (n) => placeLegalHold(ctx, { ...doc(n), reason: 'Case 7' }),
    lift: (n) => liftLegalHold(ctx, doc(n)),
    recycle: (n) => recycleDocuments(ctx, doc(n)),
    restore: (n) => restoreDocuments(ctx, doc(n)),
    age: (n) => world.age(n * 4, ...world.ids),
  };
  return { ...world, folders, commands, organizationId: organization.id };
}

type World = Awaited<ReturnType<typeof setUp>>;

/** What the rules say, worked out from the rows one by one: for each document until when it is kept, and what follows. */
async function expected({ db, ids, organizationId }: World, tied: Set<string>) {
  const documents = await db.prisma.document.findMany({
    where: { id: { in: ids } },
    include: { folder: true },
  });
  const policies = await db.prisma.retentionPolicy.findMany({
    where: { organizationId },
    include: { assignments: true },
  });
  return documents.map((document) => {
    const under = [document.folderId, ...(document.folder?.ancestorIds ?? [])];
    const covering = policies.filter(({ id, lockedAt, assignments }) => {
      const covers = assignments.some(
        ({ scope, folderId }) => scope !== 'FOLDER' || under.includes(folderId),
      );
      if (covers && lockedAt) tied.add(`${document.id} ${id}`);
      return covers || tied.has(`${document.id} ${id}`);
    });
    const ends = covering.map(({ keepMonths, action }) => {
      const end = new Date(document.createdAt);
      end.setUTCMonth(end.getUTCMonth() + (keepMonths as number));
      return { end: end.getTime(), action };
    });
    const last = Math.max(...ends.map(({ end }) => end));
    const actions = ends.filter(({ end }) => end === last).map(({ action }) => action);
    return {
      ...{ id: document.id, isHeld: document.legalHold, isKept: last > Date.now() },
      isDisposable: ends.length > 0 && last <= Date.now() && actions.every((action) => action === 'PURGE'),
      isRecycled: document.state === 'RECYCLED',
    };
  });
}

describe('retention', () => {
  it('destroys nothing before its time, all that the preview says, and no more, after any commands', async () => {
    const names = fc.constantFrom(
      ...[
        'assign',
        'unassign',
        'lock',
        'keep',
        'move',
        'moveFolder',
        'hold',
        'lift',
        'recycle',
        'restore',
        'age',
      ],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(names, fc.nat(99)), { minLength: 14, maxLength: 14 }),
        async (commands) => {
          const world = await setUp();
          const { db, ctx, ids, organizationId } = world;
          const tied = new Set<string>();
          for (const [name, n] of [['assign', 2] as const, ...commands]) {
            await world.commands[name]?.(n).catch((error) => {
              if (!(error instanceof DomainError)) throw error;
            });
            const before = await expected(world, tied);
            const preview = await previewRetention(ctx, { organizationId });
            const disposable = before.filter((each) => each.isDisposable && !each.isHeld).map(({ id }) => id);
            expect(preview.documents.map(({ id }) => id).sort()).toEqual(disposable.sort());
            await world.dispose();
            await db.prisma.document.updateMany({
              where: { id: { in: ids }, state: 'RECYCLED' },
              data: { purgeAt: new Date(1) },
            });
            await sweep(db, ctx.storage.store);
            const left = await db.prisma.document.findMany({ where: { id: { in: ids } } });
            const mayGo = before.filter(
              (each) => !each.isHeld && (each.isDisposable || (each.isRecycled && !each.isKept)),
            );
            expect(left.map(({ id }) => id).sort()).toEqual(
              before.flatMap(({ id }) => (mayGo.some((each) => each.id === id) ? [] : id)).sort(),
            );
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});
