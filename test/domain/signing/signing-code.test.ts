import { describe, expect, it } from 'vitest';
import { renewSignatureLinks } from '../../../src/domain/signatures/signature-link.ts';
import { updateSignatureSession } from '../../../src/domain/signatures/signature-session-change.ts';
import { openSigning } from '../../../src/domain/signing/signing-open.ts';
import { newSigningWorld } from '../../support/signatures.ts';
import { config } from '../../support/world.ts';

type Desk = Awaited<ReturnType<typeof newSigningWorld>>;
type Recipient = Awaited<ReturnType<Desk['signersOf']>>[0];

const MOST = 6;

/** A signer with an access code, a low total limit of wrong attempts, and no rate limit. */
async function setUp({ codeTries = 1_000 } = {}) {
  const world = await newSigningWorld();
  const limits = { ...config.limits, codeTries, codeFailures: MOST };
  const session = await world.active([{ name: 'Ann' }], { useAccessCode: true, accessCode: 'harbor-7' });
  const [ann] = (await world.signersOf(session.sessionId)) as [Recipient];
  const open = (accessCode: string, who: { id: string; linkVersion: number } = ann) =>
    openSigning(
      { ...world.through(who), limits },
      { recipientId: ann.id, sessionId: ann.sessionId, accessCode },
    ).then(
      () => 'done',
      ({ code }) => code as string,
    );
  const wrong = async (count: number) => {
    for (let index = 0; index < count; index++) expect(await open('wrong')).toBe('FORBIDDEN');
  };
  const row = () => world.db.prisma.signatureRecipient.findUniqueOrThrow({ where: { id: ann.id } });
  const locks = async () =>
    (await world.kinds(session.documentId)).filter((kind) => kind === 'document.signatureCodeLocked').length;
  return { ...world, ...session, ann, open, wrong, row, locks };
}

describe('wrong access codes', () => {
  it('lock the link after the limit, over any time, and the sender is notified', async () => {
    const { open, wrong, row, locks, db, ann, owner } = await setUp({ codeTries: 2 });
    for (let pause = 0; pause < MOST / 2; pause++) {
      await wrong(2);
      const codeTriesFrom = new Date(Date.now() - config.limits.codeWindow - 1);
      await db.prisma.signatureRecipient.update({ where: { id: ann.id }, data: { codeTriesFrom } });
    }
    expect([await open('wrong'), await open('harbor-7')]).toEqual(['CONFLICT', 'CONFLICT']);
    expect(await row()).toMatchObject({ codeFailures: MOST, codeLockedAt: expect.any(Date) });
    expect(await locks()).toBe(1);
    const query = 'query ($id: ID!) { node(id: $id) { ... on SignatureRecipient { codeLockedAt } } }';
    expect((await owner.graph(query, { id: ann.id })).data.node.codeLockedAt).toMatch(/^20/);
  });

  it('still count after a correct one', async () => {
    const { open, wrong } = await setUp();
    await wrong(MOST - 1);
    expect([await open('harbor-7'), await open('harbor-7')]).toEqual(['done', 'done']);
    await wrong(1);
    expect(await open('harbor-7')).toBe('CONFLICT');
  });

  it('are accepted up to the limit, for any number of concurrent attempts', async () => {
    const { open, locks, row } = await setUp();
    const settled = await Promise.all(Array.from({ length: 30 }, () => open('wrong')));
    expect(settled.filter((code) => code === 'FORBIDDEN')).toHaveLength(MOST);
    expect(settled.filter((code) => code === 'CONFLICT')).toHaveLength(30 - MOST);
    expect([(await row()).codeFailures, await locks()]).toEqual([MOST, 1]);
  });

  it('are counted from zero for a renewed link', async () => {
    const { open, wrong, ctx, documentId, ann, row } = await setUp();
    await wrong(MOST);
    expect(await open('harbor-7')).toBe('CONFLICT');
    const [renewed] = await renewSignatureLinks(ctx, { documentId, recipientIds: [ann.id] });
    expect(await row()).toMatchObject({ codeFailures: 0, codeTries: 0, codeLockedAt: null });
    expect([await open('harbor-7'), await open('harbor-7', renewed)]).toEqual(['NOT_FOUND', 'done']);
  });

  it('do not lock the signers of the draft after a reset', async () => {
    const { wrong, ctx, documentId, signersOf } = await setUp();
    await wrong(MOST);
    const options = { reset: true, useAccessCode: true, accessCode: 'quay-8', begin: true };
    const { id } = await updateSignatureSession(ctx, { documentId, ...options });
    expect(await signersOf(id)).toMatchObject([{ codeFailures: 0, codeLockedAt: null, state: 'REQUESTED' }]);
  });
});
