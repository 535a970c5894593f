import { describe, expect, it } from 'vitest';
import { createComments } from '../../../../src/domain/comments/comment.ts';
import { purgeDocuments, recycleDocuments } from '../../../../src/domain/documents/document-bin.ts';
import { sweep } from '../../../../src/domain/maintenance/sweep.ts';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { addProjectMembers } from '../../../../src/domain/membership/project-member-add.ts';
import {
  removeProjectMembers,
  updateProjectMember,
} from '../../../../src/domain/membership/project-member-change.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newMember, newWorld } from '../../../support/world.ts';

const PLACE = `mutation ($input: PlaceLegalHoldInput!) { placeLegalHold(input: $input) {
  documents { id legalHold legalHoldReason } } }`;
const LIFT = `mutation ($input: LiftLegalHoldInput!) { liftLegalHold(input: $input) { documents { id legalHold legalHoldReason } } }`;
const PURGE = `mutation ($input: PurgeDocumentsInput!) { purgeDocuments(input: $input) { documentIds } }`;
const PLAN = `query ($ids: [ID!]!) { purgePlan(ids: $ids) {
  document { name } purgeable obstacles revisionCount commentCount signatureSessionCount bytes } }`;

async function setUp(...names: string[]) {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const documents = await newDocuments(
    ctx,
    world.project.id,
    names.map((name) => ({ name })),
  );
  return { ...world, ctx, ids: documents.map(({ id }) => id) };
}

const messages = (errors: { message: string; extensions: { code: string } }[] | undefined) =>
  errors?.map(({ message, extensions }) => `${extensions.code}: ${message}`);

describe('a legal hold', () => {
  it('prevents a document from being purged by hand and by its date, until the hold is lifted', async () => {
    const { db, owner, ctx, ids } = await setUp('contract');
    await recycleDocuments(ctx, { documentIds: ids });
    await db.prisma.document.updateMany({ where: { id: { in: ids } }, data: { purgeAt: new Date(1) } });
    const placed = await owner.graph(PLACE, { input: { documentIds: ids, reason: 'Case 7' } });
    expect(placed.data.placeLegalHold.documents).toEqual([
      { id: ids[0], legalHold: true, legalHoldReason: 'Case 7' },
    ]);
    const refused = await owner.graph(PURGE, { input: { documentIds: ids } });
    expect(messages(refused.errors)).toEqual(['CONFLICT: A document is under legal hold.']);
    await sweep(db, ctx.storage.store);
    expect(await db.prisma.document.count({ where: { id: { in: ids } } })).toBe(1);
    const lifted = await owner.graph(LIFT, { input: { documentIds: ids } });
    expect(lifted.data.liftLegalHold.documents).toEqual([
      { id: ids[0], legalHold: false, legalHoldReason: null },
    ]);
    await sweep(db, ctx.storage.store);
    expect(await db.prisma.document.count({ where: { id: { in: ids } } })).toBe(0);
  });

  it('can be placed in a disabled project too, and appends an event', async () => {
    const { db, owner, ctx, project, ids } = await setUp('contract');
    await updateProject(ctx, { projectId: project.id, disabled: true });
    const { data } = await owner.graph(PLACE, { input: { documentIds: ids, reason: 'Case 7' } });
    expect(data.placeLegalHold.documents).toHaveLength(1);
    const event = await db.prisma.event.findFirstOrThrow({
      where: { subjectId: ids[0], kind: 'document.held' },
    });
    expect(event).toMatchObject({ actorId: owner.id, data: { after: { reason: 'Case 7' } } });
  });

  it.each([
    ['FORBIDDEN', 'a member', 'MEMBER'],
    ['NOT_FOUND', 'a guest', 'GUEST'],
  ] as const)('answers %s to %s', async (code, _, role) => {
    const { db, organization, ids } = await setUp('contract');
    const person = await newMember(db, organization.id, role);
    const { errors } = await person.graph(PLACE, { input: { documentIds: ids, reason: 'Case 7' } });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual([code]);
    expect(await db.prisma.document.count({ where: { id: { in: ids }, legalHold: true } })).toBe(0);
  });

  it('is placed on all documents of a batch, or on none', async () => {
    const { db, owner, stranger, ids } = await setUp('one', 'two');
    const [one, two] = ids as [string, string];
    await owner.graph(PLACE, { input: { documentIds: [one], reason: 'Case 7' } });
    const again = await owner.graph(PLACE, { input: { documentIds: [two, one], reason: 'Case 8' } });
    expect(messages(again.errors)).toEqual(['CONFLICT: A document is under legal hold already.']);
    const empty = await owner.graph(PLACE, { input: { documentIds: [two], reason: ' ' } });
    expect(messages(empty.errors)).toEqual(['BAD_USER_INPUT: reason: must not be empty']);
    const foreign = await stranger.graph(LIFT, { input: { documentIds: [one] } });
    expect(messages(foreign.errors)).toEqual(['NOT_FOUND: Document not found.']);
    const free = await owner.graph(LIFT, { input: { documentIds: [one, two] } });
    expect(messages(free.errors)).toEqual(['CONFLICT: A document is not under legal hold.']);
    const underHold = await db.prisma.document.findMany({ where: { id: { in: ids }, legalHold: true } });
    expect(underHold.map(({ legalHoldReason }) => legalHoldReason)).toEqual(['Case 7']);
  });

  it('can be filtered by', async () => {
    const { owner, project, ids } = await setUp('one', 'two');
    await owner.graph(PLACE, { input: { documentIds: ids.slice(0, 1), reason: 'Case 7' } });
    const query = `query ($id: ID!) { project(id: $id) {
      underHold: documents(filter: { legalHold: true }) { nodes { name } }
      free: documents(filter: { legalHold: false }) { nodes { name } } } }`;
    const { data } = await owner.graph(query, { id: project.id });
    expect(data.project).toEqual({
      underHold: { nodes: [{ name: 'one' }] },
      free: { nodes: [{ name: 'two' }] },
    });
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'and a purge by 20 concurrent callers leave the document either held or purged',
    async () => {
      const { db, owner, ctx, ids } = await setUp('contract');
      await recycleDocuments(ctx, { documentIds: ids });
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0
            ? owner.graph(PURGE, { input: { documentIds: ids } })
            : owner.graph(PLACE, { input: { documentIds: ids, reason: 'Case 7' } }),
        ),
      );
      expect(outcomes.filter(({ errors }) => !errors)).toHaveLength(1);
      const [won] = outcomes.filter(({ errors }) => !errors);
      const left = await db.prisma.document.count({ where: { id: { in: ids } } });
      expect(left).toBe(won?.data.placeLegalHold ? 1 : 0);
    },
  );
});

describe('the plan of a purge', () => {
  it('lists what would be purged, and all obstacles of the rest', async () => {
    const { owner, ctx, project, ids } = await setUp('gone', 'held', 'in use');
    const [purgeable, underHold] = ids as [string, string, string];
    await createComments(ctx, { documentId: purgeable, texts: ['a', 'b'] });
    await newDocuments(ctx, project.id, [{ name: 'gone', content: 'more', documentId: purgeable }]);
    await recycleDocuments(ctx, { documentIds: [purgeable] });
    await owner.graph(PLACE, { input: { documentIds: [underHold], reason: 'Case 7' } });
    const { data } = await owner.graph(PLAN, { ids });
    const nothing = { commentCount: 0, signatureSessionCount: 0, revisionCount: 1 };
    expect(data.purgePlan).toEqual([
      {
        document: { name: 'gone' },
        purgeable: true,
        obstacles: [],
        revisionCount: 2,
        commentCount: 2,
        signatureSessionCount: 0,
        bytes: 8,
      },
      {
        ...nothing,
        document: { name: 'held' },
        purgeable: false,
        obstacles: ['NOT_RECYCLED', 'LEGAL_HOLD'],
        bytes: 4,
      },
      { ...nothing, document: { name: 'in use' }, purgeable: false, obstacles: ['NOT_RECYCLED'], bytes: 6 },
    ]);
  });

  it('does not count bytes that another document shares', async () => {
    const { owner, ctx, project, ids } = await setUp('same');
    await newDocuments(ctx, project.id, [{ name: 'copy', content: 'same' }]);
    const { data } = await owner.graph(PLAN, { ids });
    expect(data.purgePlan[0].bytes).toBe(0);
  });

  it('lists a missing role and a disabled project as obstacles', async () => {
    const { db, organization, owner, ctx, project, ids } = await setUp('paper');
    await recycleDocuments(ctx, { documentIds: ids });
    const member = await newMember(db, organization.id, 'MEMBER');
    const before = await member.graph(PLAN, { ids });
    expect(before.data.purgePlan[0].obstacles).toEqual(['ROLE']);
    await updateProject(ctx, { projectId: project.id, disabled: true });
    const after = await owner.graph(PLAN, { ids });
    expect(after.data.purgePlan[0].obstacles).toEqual(['PROJECT_DISABLED']);
  });

  it('agrees with what the purge then does', async () => {
    const { owner, ctx, ids } = await setUp('a', 'b', 'c', 'd');
    const [a, b, c] = ids as [string, string, string, string];
    await recycleDocuments(ctx, { documentIds: [a, b] });
    await owner.graph(PLACE, { input: { documentIds: [b, c], reason: 'Case 7' } });
    const { data } = await owner.graph(PLAN, { ids });
    const purged = [];
    for (const id of ids)
      purged.push(
        await purgeDocuments(ctx, { documentIds: [id] }).then(
          () => true,
          () => false,
        ),
      );
    expect(data.purgePlan.map(({ purgeable }: { purgeable: boolean }) => purgeable)).toEqual(purged);
  });

  it('needs four statements for any number of documents', async () => {
    const { owner, ids } = await setUp('a', 'b', 'c');
    const { statements } = await counted(() => owner.graph(PLAN, { ids }));
    const one = await counted(() => owner.graph(PLAN, { ids: ids.slice(0, 1) }));
    expect(statements).toEqual(one.statements);
    expect(
      statements.filter((text) => /^(SELECT|WITH)/.test(text) && !text.includes('api_keys')),
    ).toHaveLength(4);
  });

  it('is NOT_FOUND for strangers', async () => {
    const { stranger, ids } = await setUp('paper');
    const { errors } = await stranger.graph(PLAN, { ids });
    expect(messages(errors)).toEqual(['NOT_FOUND: Document not found.']);
  });
});

describe('restoring from the recycle bin', () => {
  it('requires the current rights, not those at the time of recycling', async () => {
    const { db, organization, project, ctx } = await setUp('other');
    await updateProject(ctx, { projectId: project.id, access: 'RESTRICTED' });
    const editor = await newMember(db, organization.id, 'MEMBER');
    const {
      members: [member],
    } = await addProjectMembers(ctx, {
      projectId: project.id,
      members: [{ person: { email: editor.email }, role: 'EDITOR' }],
    });
    const [document] = await newDocuments(await editor.context(), project.id, [{ name: 'mine' }]);
    const input = { documentIds: [document?.id] };
    await recycleDocuments(await editor.context(), { documentIds: [document?.id as string] });
    const restore = async () =>
      messages(
        (
          await editor.graph(
            `mutation ($input: RestoreDocumentsInput!) { restoreDocuments(input: $input) {
        documents { state } } }`,
            { input },
          )
        ).errors,
      );
    await updateProjectMember(ctx, { memberId: member?.id as string, role: 'VIEWER' });
    expect(await restore()).toEqual([
      'FORBIDDEN: This takes the role EDITOR in the project; yours is VIEWER.',
    ]);
    await removeProjectMembers(ctx, { projectId: project.id, memberIds: [member?.id as string] });
    expect(await restore()).toEqual(['NOT_FOUND: Document not found.']);
  });
});
