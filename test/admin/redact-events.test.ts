import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/admin/commands.ts';
import { createComments } from '../../src/domain/comments/comment.ts';
import { purgeDocuments, recycleDocuments } from '../../src/domain/documents/document-bin.ts';
import { newDocuments } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

/** A document with a comment, and the command line on its database. */
async function scene() {
  const { db, owner, organization, project, stranger } = await newWorld();
  const ctx = await owner.context();
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
  const object = document?.id as string;
  await createComments(ctx, { documentId: object, texts: ['marigold'] });
  const site = { db, storage: ctx.storage, limits: config.limits };
  const run = async (name: string, values: Record<string, string>) =>
    COMMANDS[name]?.run(site, { organization: organization.id, ...values }) as Promise<string>;
  const contents = async () =>
    (await db.prisma.event.findMany({ where: { subjectId: object }, orderBy: { sequence: 'asc' } })).map(
      ({ kind, data }) => [kind, JSON.stringify(data)],
    );
  return { ctx, object, run, contents, stranger };
}

it('redact-events removes the content of all events of an object, and verify counts them', async () => {
  const { object, run, contents } = await scene();
  expect(await run('redact-events', { object, reason: 'Asked for' })).toBe('2 events were redacted.');
  const [created, commented, redacted] = await contents();
  expect([created, commented]).toEqual([
    ['document.created', '{}'],
    ['document.commented', '{}'],
  ]);
  expect(redacted?.[0]).toBe('event.redacted');
  expect(await run('verify', {})).toContain('all in order, 2 of them redacted');
});

it('redact-events finds the events of an object that was purged', async () => {
  const { ctx, object, run, contents } = await scene();
  await recycleDocuments(ctx, { documentIds: [object] });
  await purgeDocuments(ctx, { documentIds: [object] });
  expect(await run('redact-events', { object, reason: 'Asked for' })).toMatch(/^[34] events were redacted/);
  expect(JSON.stringify(await contents())).not.toContain('marigold');
});

it.each([
  [{ reason: ' ' }, 'reason'],
  [{ reason: 'Asked for', object: 'doc_00000000000000000000000000' }, 'not found'],
])('redact-events refuses %j, and changes nothing', async (values, message) => {
  const { object, run, contents } = await scene();
  await expect(run('redact-events', { object, ...values })).rejects.toThrow(message);
  expect(JSON.stringify(await contents())).toContain('marigold');
});

it('redact-events leaves the events of other organizations', async () => {
  const { object, run, contents, stranger } = await scene();
  const organization = (await stranger.context()).viewer.memberships[0]?.organizationId as string;
  await expect(run('redact-events', { organization, object, reason: 'Asked for' })).rejects.toThrow();
  expect(JSON.stringify(await contents())).toContain('marigold');
});
