import { describe, expect, it } from 'vitest';
import { recycleDocuments, restoreDocuments } from '../../../src/domain/documents/document-bin.ts';
import { DomainError } from '../../../src/domain/kernel/errors.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import { renewSignatureLinks } from '../../../src/domain/signatures/signature-link.ts';
import { findCurrentSessions } from '../../../src/domain/signatures/signature-session.ts';
import {
  stopSignatureSession,
  updateSignatureSession,
} from '../../../src/domain/signatures/signature-session-change.ts';
import { declineSignature, signDocument } from '../../../src/domain/signing/sign.ts';
import { openSigning } from '../../../src/domain/signing/signing-open.ts';
import { HOUR, MINUTE } from '../../../src/lib/time.ts';
import { newSigningWorld } from '../../support/signatures.ts';
import { config, newMember } from '../../support/world.ts';

const ROUNDS = Number(process.env.RACE_ROUNDS ?? 3);

type Desk = Awaited<ReturnType<typeof newSigningWorld>>;
type Recipient = Awaited<ReturnType<Desk['signersOf']>>[number];

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => (error instanceof DomainError ? error.code : String(error)),
  );

const at = (recipient: Recipient) => ({ sessionId: recipient.sessionId, recipientId: recipient.id });

const filled = (recipient: Recipient, value = 'Signed') =>
  recipient.fields.map(({ id: fieldId }) => ({ fieldId, value }));

const sign = async (
  { through }: Desk,
  recipient: Recipient,
  values = filled(recipient),
  accessCode?: string,
) => signDocument(through(recipient), { ...at(recipient), values, accessCode });

const outcomes = (settled: PromiseSettledResult<unknown>[]) => {
  const codes = settled.map((each) => (each.status === 'fulfilled' ? 'done' : String(each.reason.code)));
  return Object.fromEntries(
    [...new Set(codes)].map((code) => [code, codes.filter((each) => each === code).length]),
  );
};

describe('a signature', () => {
  it('fills in the fields, requests the next rank, and completes the session with the last one', async () => {
    const world = await newSigningWorld();
    const { db, active, signersOf, kinds } = world;
    const { sessionId, documentId } = await active([
      { name: 'Ann', rank: 1 },
      { name: 'Bob', rank: 1, fields: ['INITIALS', 'TEXT'] },
      { name: 'Cyd', rank: 5 },
    ]);
    const states = async () => (await signersOf(sessionId)).map(({ state }) => state);
    const [ann, bob] = (await signersOf(sessionId)) as [Recipient, Recipient];
    expect(await states()).toEqual(['REQUESTED', 'REQUESTED', 'WAITING']);
    await sign(world, ann);
    expect(await states()).toEqual(['COMPLETED', 'REQUESTED', 'WAITING']);
    await sign(world, bob, [
      { fieldId: bob.fields[0]?.id as string, value: 'B' },
      { fieldId: bob.fields[1]?.id as string, value: 'said' },
    ]);
    expect(await states()).toEqual(['COMPLETED', 'COMPLETED', 'REQUESTED']);
    const [, signedBob, cyd] = (await signersOf(sessionId)) as [Recipient, Recipient, Recipient];
    expect(signedBob).toMatchObject({
      ipAddress: '192.0.2.7',
      userAgent: 'test',
      completedAt: expect.any(Date),
    });
    expect(signedBob.fields.map(({ value, completedAt }) => [value, completedAt !== null])).toEqual([
      ['B', true],
      ['said', true],
    ]);
    await sign(world, cyd);
    const session = await db.prisma.signatureSession.findUniqueOrThrow({ where: { id: sessionId } });
    expect(session).toMatchObject({ state: 'COMPLETED', sealing: 'PENDING', completedAt: expect.any(Date) });
    const document = await db.prisma.document.findUniqueOrThrow({ where: { id: documentId } });
    expect(document.signedAt).toEqual(session.completedAt);
    expect((await kinds(documentId)).slice(-5)).toEqual([
      'document.signingBegan',
      'document.signed',
      'document.signed',
      'document.signed',
      'document.signingCompleted',
    ]);
  });

  it('is recorded with signer, address and fields, without an account as actor', async () => {
    const world = await newSigningWorld();
    const { sessionId, documentId } = await world.active([{ name: 'Ann' }]);
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    await sign(world, ann);
    const event = await world.db.prisma.event.findFirstOrThrow({
      where: { subjectId: documentId, kind: 'document.signed' },
    });
    expect([event.actorId, event.credentialId, event.data]).toEqual([
      null,
      null,
      {
        sessionId,
        recipientId: ann.id,
        email: 'ann@signers.test',
        ipAddress: '192.0.2.7',
        userAgent: 'test',
        fieldIds: ann.fields.map(({ id }) => id),
      },
    ]);
  });

  it('is possible once, and only while it is requested', async () => {
    const world = await newSigningWorld();
    const { sessionId, documentId } = await world.active([
      { name: 'Ann', rank: 1 },
      { name: 'Bob', rank: 2 },
    ]);
    const [ann, bob] = (await world.signersOf(sessionId)) as [Recipient, Recipient];
    expect(await codeOf(sign(world, bob))).toBe('NOT_FOUND');
    await sign(world, ann);
    const before = await world.everything(documentId);
    expect(await codeOf(sign(world, ann, filled(ann, 'again')))).toBe('CONFLICT');
    expect(await world.everything(documentId)).toEqual(before);
  });

  it('fills in name, address and date if required and absent, and leaves optional fields empty', async () => {
    const world = await newSigningWorld();
    const { sessionId } = await world.active([
      { name: 'Ann', fields: ['SIGNATURE', 'FULL_NAME', 'EMAIL', 'DATE', 'TITLE'] },
    ]);
    const [{ fields }] = (await world.signersOf(sessionId)) as [Recipient];
    await world.db.prisma.signatureField.update({ where: { id: fields[4]?.id }, data: { required: false } });
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    await sign(world, ann, [{ fieldId: fields[0]?.id as string, value: 'A' }]);
    const [signed] = (await world.signersOf(sessionId)) as [Recipient];
    expect(signed.fields.map(({ value }) => value)).toEqual([
      'A',
      'Ann',
      'ann@signers.test',
      new Date().toISOString().slice(0, 10),
      null,
    ]);
  });

  it.each([
    ['SIGNATURE', ''],
    ['SIGNATURE', ' \t'],
    ['TEXT', 'x'.repeat(10_001)],
    ['EMAIL', 'nobody'],
    ['DATE', '30.2.2031'],
    ['DATE', '2031-02-30'],
    ['DATE', '2031-02-28T25:00:00Z'],
    ['FULL_NAME', 'x'.repeat(256)],
    ['TITLE', 'a\nb'],
  ] as const)('rejects for %s the value %j, and changes nothing', async (type, value) => {
    const world = await newSigningWorld();
    const { sessionId, documentId } = await world.active([{ name: 'Ann', fields: [type] }]);
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    const before = await world.everything(documentId);
    expect(await codeOf(sign(world, ann, filled(ann, value)))).toBe('BAD_USER_INPUT');
    expect(await world.everything(documentId)).toEqual(before);
  });

  it('rejects fields that are missing, repeated, of another signer or unknown', async () => {
    const world = await newSigningWorld();
    const { sessionId, documentId } = await world.active([
      { name: 'Ann', fields: ['SIGNATURE', 'TEXT'] },
      { name: 'Bob' },
    ]);
    const [ann, bob] = (await world.signersOf(sessionId)) as [Recipient, Recipient];
    const [one, two] = filled(ann) as [
      { fieldId: string; value: string },
      { fieldId: string; value: string },
    ];
    const before = await world.everything(documentId);
    const answers = [];
    for (const values of [
      [],
      [one],
      [one, two, one],
      [one, two, ...filled(bob)],
      [one, { ...two, fieldId: 'sfd_x' }],
    ])
      answers.push(await codeOf(sign(world, ann, values)));
    expect(answers).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT', 'BAD_USER_INPUT', 'NOT_FOUND', 'NOT_FOUND']);
    expect(await world.everything(documentId)).toEqual(before);
  });

  it('that is declined stops the session, with the reason', async () => {
    const world = await newSigningWorld();
    const { db, active, signersOf, through, kinds } = world;
    const { sessionId, documentId } = await active([{ name: 'Ann' }, { name: 'Bob' }]);
    const [ann, bob] = (await signersOf(sessionId)) as [Recipient, Recipient];
    const declined = await declineSignature(through(ann), { ...at(ann), reason: 'Wrong sum.' });
    expect(declined).toMatchObject({ state: 'DECLINED', sessionState: 'STOPPED' });
    expect((await signersOf(sessionId))[0]).toMatchObject({
      state: 'DECLINED',
      declinedReason: 'Wrong sum.',
      completedAt: null,
    });
    expect((await db.prisma.document.findUniqueOrThrow({ where: { id: documentId } })).signedAt).toBeNull();
    expect([await codeOf(sign(world, bob)), await codeOf(sign(world, ann))]).toEqual([
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
    expect((await kinds(documentId)).slice(-2)).toEqual([
      'document.signatureDeclined',
      'document.signingStopped',
    ]);
  });
});

describe('the link of a signer', () => {
  const wrong = (world: Desk, link: string) => ({
    ...world.through({ id: 'x', linkVersion: 1 }),
    viewer: { ...world.through({ id: 'x', linkVersion: 1 }).viewer, link },
  });

  it('gives access to their own signing only', async () => {
    const world = await newSigningWorld();
    const { sessionId } = await world.active([{ name: 'Ann' }, { name: 'Bob' }]);
    const [ann, bob] = (await world.signersOf(sessionId)) as [Recipient, Recipient];
    expect(await openSigning(world.through(ann), at(ann))).toMatchObject({ fullName: 'Ann', locked: false });
    expect([
      await codeOf(openSigning(world.through(ann), at(bob))),
      await codeOf(openSigning(world.through(ann), { ...at(ann), sessionId: 'sgs_x' })),
      await codeOf(openSigning(wrong(world, ''), at(ann))),
      await codeOf(openSigning(wrong(world, `${world.secretOf(ann).slice(0, -1)}!`), at(ann))),
      await codeOf(openSigning(wrong(world, world.secretOf({ id: ann.id, linkVersion: 2 })), at(ann))),
    ]).toEqual(Array(5).fill('NOT_FOUND'));
  });

  it('is not stored in the database', async () => {
    const world = await newSigningWorld();
    const { sessionId } = await world.active([{ name: 'Ann' }]);
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    const secret = world.secretOf(ann);
    const { events: _, ...rows } = await world.everything(
      (await world.db.prisma.signatureSession.findUniqueOrThrow({ where: { id: sessionId } })).documentId,
    );
    const events = await world.db.prisma.event.findMany({ where: { organizationId: world.organization.id } });
    const text = JSON.stringify([rows, events], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).toContain(ann.id);
    expect(text).not.toContain(secret.slice(4));
  });

  it('expires', async () => {
    const world = await newSigningWorld();
    const { sessionId } = await world.active([{ name: 'Ann' }]);
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    const days = ((ann.linkExpiresAt?.getTime() ?? 0) - (ann.requestedAt?.getTime() ?? 0)) / (24 * HOUR);
    expect(Math.round(days)).toBe(30);
    await world.db.prisma.signatureRecipient.update({
      where: { id: ann.id },
      data: { linkExpiresAt: new Date() },
    });
    expect(await codeOf(openSigning(world.through(ann), at(ann)))).toBe('NOT_FOUND');
    expect(await codeOf(sign(world, ann))).toBe('NOT_FOUND');
  });

  it.each([
    'stop',
    'reset',
  ] as const)('stops working after a %s, and nothing of the session changes any more', async (verb) => {
    const world = await newSigningWorld();
    const { ctx, active, signersOf, everything } = world;
    const { sessionId, documentId } = await active([{ name: 'Ann' }, { name: 'Bob' }]);
    const [ann, bob] = (await signersOf(sessionId)) as [Recipient, Recipient];
    await sign(world, ann);
    if (verb === 'stop') await stopSignatureSession(ctx, { documentId });
    else await updateSignatureSession(ctx, { documentId, reset: true });
    const before = await everything(documentId);
    for (const each of [ann, bob])
      expect([
        await codeOf(openSigning(world.through(each), at(each))),
        await codeOf(sign(world, each)),
      ]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(await everything(documentId)).toEqual(before);
  });

  it('can be renewed for a requested signer: the old one stops working', async () => {
    const world = await newSigningWorld();
    const { ctx, active, signersOf } = world;
    const { sessionId, documentId } = await active([
      { name: 'Ann', rank: 1 },
      { name: 'Bob', rank: 2 },
    ]);
    const [ann, bob] = (await signersOf(sessionId)) as [Recipient, Recipient];
    expect(await codeOf(renewSignatureLinks(ctx, { documentId, recipientIds: [ann.id, bob.id] }))).toBe(
      'CONFLICT',
    );
    expect(await codeOf(renewSignatureLinks(ctx, { documentId, recipientIds: ['sgr_x'] }))).toBe('NOT_FOUND');
    expect(await codeOf(openSigning(world.through(ann), at(ann)))).toBe('done');
    const [renewed] = await renewSignatureLinks(ctx, { documentId, recipientIds: [ann.id] });
    expect(renewed?.linkVersion).toBe(2);
    expect(await codeOf(openSigning(world.through(ann), at(ann)))).toBe('NOT_FOUND');
    expect(await codeOf(openSigning(world.through({ id: ann.id, linkVersion: 2 }), at(ann)))).toBe('done');
  });

  it('does not work for a recycled document, nor for signing in a disabled project', async () => {
    const world = await newSigningWorld();
    const { ctx, active, signersOf, project } = world;
    const { sessionId, documentId } = await active([{ name: 'Ann' }]);
    const [ann] = (await signersOf(sessionId)) as [Recipient];
    await recycleDocuments(ctx, { documentIds: [documentId] });
    expect([await codeOf(openSigning(world.through(ann), at(ann))), await codeOf(sign(world, ann))]).toEqual([
      'CONFLICT',
      'CONFLICT',
    ]);
    await restoreDocuments(ctx, { documentIds: [documentId] });
    expect(await codeOf(sign(world, ann))).toBe('CONFLICT');
    await updateSignatureSession(ctx, { documentId, reset: true, begin: true });
    const { id } = (await findCurrentSessions(ctx, [documentId]))[0] as { id: string };
    const [next] = (await signersOf(id)) as [Recipient];
    await updateProject(ctx, { projectId: project.id, disabled: true });
    expect(await codeOf(sign(world, next))).toBe('CONFLICT');
    await updateProject(ctx, { projectId: project.id, disabled: false });
    expect(await codeOf(sign(world, next))).toBe('done');
  });

  it('is not needed by a signer with an account in the organization', async () => {
    const world = await newSigningWorld();
    const { db, active, signersOf, organization } = world;
    const member = await newMember(db, organization.id, 'MEMBER');
    const { sessionId } = await active([{ name: 'Member', email: member.email }, { name: 'Bob' }]);
    const [mine, bobs] = (await signersOf(sessionId)) as [Recipient, Recipient];
    expect(mine.userId).toBe(member.id);
    const outsider = await newMember(db, organization.id, 'MEMBER');
    expect(await codeOf(openSigning(await outsider.context(), at(mine)))).toBe('NOT_FOUND');
    expect(await codeOf(signDocument(await member.context(), { ...at(bobs), values: filled(bobs) }))).toBe(
      'NOT_FOUND',
    );
    const membership = { organizationId_userId: { organizationId: organization.id, userId: member.id } };
    const deletedMembership = await db.prisma.membership.delete({ where: membership });
    expect(await codeOf(openSigning(await member.context(), at(mine)))).toBe('NOT_FOUND');
    await db.prisma.membership.create({ data: deletedMembership });
    const signed = await signDocument(await member.context(), { ...at(mine), values: filled(mine) });
    expect(signed.state).toBe('COMPLETED');
  });
});

describe('an access code', () => {
  const CODE = { useAccessCode: true, accessCode: 'harbor-7' };
  const locked = async () => {
    const world = await newSigningWorld();
    const session = await world.active([{ name: 'Ann' }], CODE);
    const [ann] = (await world.signersOf(session.sessionId)) as [Recipient];
    const open = (accessCode?: string) => openSigning(world.through(ann), { ...at(ann), accessCode });
    return { ...world, ...session, ann, open };
  };

  it('is stored as a hash, and not returned', async () => {
    const { db, sessionId, documentId, everything } = await locked();
    const { accessCode } = await db.prisma.signatureSession.findUniqueOrThrow({ where: { id: sessionId } });
    expect(accessCode).toMatch(/^scrypt\$[\w-]{22}\$[\w-]{43}$/);
    const events = await db.prisma.event.findMany({ where: { subjectId: documentId } });
    const { document: _, events: __, ...rows } = await everything(documentId);
    expect(JSON.stringify(rows)).not.toContain(CODE.accessCode);
    expect(JSON.stringify(events.map(({ data }) => data))).not.toMatch(/harbor-7|scrypt/);
  });

  it('locks the signing until it is entered', async () => {
    const world = await locked();
    const { ann, open, kinds, documentId } = world;
    expect((await open()).locked).toBe(true);
    expect(await codeOf(sign(world, ann))).toBe('FORBIDDEN');
    expect(await codeOf(open('wrong'))).toBe('FORBIDDEN');
    expect((await open('harbor-7')).locked).toBe(false);
    expect((await open()).locked).toBe(true);
    expect((await kinds(documentId)).slice(-2)).toEqual([
      'document.signatureCodeRefused',
      'document.signatureCodeAccepted',
    ]);
  });

  it('once entered is valid for the signature for an hour', async () => {
    const world = await locked();
    const { ann, open, db } = world;
    await open('harbor-7');
    const earlier = { codePassedAt: new Date(Date.now() - HOUR - 1) };
    await db.prisma.signatureRecipient.update({ where: { id: ann.id }, data: earlier });
    expect(await codeOf(sign(world, ann))).toBe('FORBIDDEN');
    await open('harbor-7');
    expect(await codeOf(sign(world, ann))).toBe('done');
  });

  it('can be sent with the signature, and is checked there too', async () => {
    const world = await locked();
    expect(await codeOf(sign(world, world.ann, filled(world.ann), 'wrong'))).toBe('FORBIDDEN');
    expect(await codeOf(sign(world, world.ann, filled(world.ann), 'harbor-7'))).toBe('done');
  });

  it('is rate limited for one signer after too many wrong attempts', async () => {
    const world = await newSigningWorld();
    const { sessionId } = await world.active(
      [
        { name: 'Ann', rank: 1 },
        { name: 'Bob', rank: 1 },
      ],
      CODE,
    );
    const [ann, bob] = (await world.signersOf(sessionId)) as [Recipient, Recipient];
    const open = (who: Recipient, accessCode: string) =>
      codeOf(openSigning(world.through(who), { ...at(who), accessCode }));
    for (let index = 0; index < config.limits.codeTries; index++)
      expect(await open(ann, 'wrong')).toBe('FORBIDDEN');
    expect([await open(ann, 'wrong'), await open(ann, 'harbor-7'), await open(bob, 'harbor-7')]).toEqual([
      'RATE_LIMITED',
      'RATE_LIMITED',
      'done',
    ]);
    const before = new Date(Date.now() - config.limits.codeWindow);
    await world.db.prisma.signatureRecipient.update({
      where: { id: ann.id },
      data: { codeTriesFrom: before },
    });
    expect([await open(ann, 'wrong'), await open(ann, 'harbor-7')]).toEqual(['FORBIDDEN', 'done']);
    const after = await world.db.prisma.signatureRecipient.findUniqueOrThrow({ where: { id: ann.id } });
    expect(after.codeTries).toBe(0);
  });

  it('without the link is rejected, and counts no attempt', async () => {
    const { ann, through, db } = await locked();
    const stranger = through({ id: ann.id, linkVersion: 7 });
    expect(await codeOf(openSigning(stranger, { ...at(ann), accessCode: 'wrong' }))).toBe('NOT_FOUND');
    expect((await db.prisma.signatureRecipient.findUniqueOrThrow({ where: { id: ann.id } })).codeTries).toBe(
      0,
    );
  });
});

describe('concurrent signatures', () => {
  const server = process.env.TEST_DATABASE_URL;

  it.runIf(server).each([
    ['the last one remaining', [{ name: 'Ann' }], 2],
    [
      'one of two',
      [
        { name: 'Ann', rank: 1 },
        { name: 'Bob', rank: 1 },
      ],
      1,
    ],
  ])(
    'twenty signatures of one signer count once, of %s',
    { timeout: 30 * MINUTE },
    async (_, signers, events) => {
      const world = await newSigningWorld();
      for (let round = 0; round < ROUNDS; round++) {
        const { sessionId, documentId } = await world.active(signers);
        const [ann] = (await world.signersOf(sessionId)) as [Recipient];
        const settled = await Promise.allSettled(
          Array.from({ length: 20 }, (_, index) => sign(world, ann, filled(ann, `try ${index}`))),
        );
        expect(outcomes(settled)).toEqual({ done: 1, CONFLICT: 19 });
        const kinds = await world.kinds(documentId);
        expect(
          kinds.filter((kind) => kind === 'document.signed' || kind === 'document.signingCompleted'),
        ).toHaveLength(events);
        const winner = settled.findIndex(({ status }) => status === 'fulfilled');
        expect((await world.signersOf(sessionId))[0]?.fields[0]?.value).toBe(`try ${winner}`);
      }
    },
  );

  it.runIf(server)('the signatures of a rank all count, and the next rank is asked once', async () => {
    const world = await newSigningWorld();
    const names = Array.from({ length: 8 }, (_, index) => ({ name: `S${index}`, rank: 1 }));
    const { sessionId, documentId } = await world.active([...names, { name: 'Last', rank: 2 }]);
    const signers = await world.signersOf(sessionId);
    const settled = await Promise.allSettled(signers.slice(0, 8).map((each) => sign(world, each)));
    expect(outcomes(settled)).toEqual({ done: 8 });
    expect((await world.signersOf(sessionId))[8]?.state).toBe('REQUESTED');
    const events = await world.db.prisma.event.findMany({
      where: { subjectId: documentId, kind: 'document.signed' },
    });
    expect(
      events.filter(({ data }) => (data as { nextRecipientIds?: string[] }).nextRecipientIds),
    ).toHaveLength(1);
  });

  it.runIf(server)(
    'a signature, a refusal, a stop, a reset and the recycle bin leave one legal outcome',
    async () => {
      for (let round = 0; round < 6; round++) {
        const world = await newSigningWorld();
        const { ctx, through } = world;
        const { sessionId, documentId } = await world.active([{ name: 'Ann' }]);
        const [ann] = (await world.signersOf(sessionId)) as [Recipient];
        await Promise.allSettled([
          sign(world, ann),
          declineSignature(through(ann), at(ann)),
          stopSignatureSession(ctx, { documentId }),
          updateSignatureSession(ctx, { documentId, reset: true }),
          recycleDocuments(ctx, { documentIds: [documentId] }),
        ]);
        const { sessions, document } = await world.everything(documentId);
        const first = sessions.find(({ id }) => id === sessionId);
        const signerState = first?.recipients[0]?.state;
        expect(first?.state === 'COMPLETED').toBe(signerState === 'COMPLETED');
        if (document?.state === 'RECYCLED') expect(first?.state).not.toBe('ACTIVE');
        expect(document?.signedAt !== null).toBe(first?.state === 'COMPLETED');
        expect(
          sessions.filter(({ state }) => state === 'DRAFT' || state === 'ACTIVE').length,
        ).toBeLessThanOrEqual(1);
        const kinds = await world.kinds(documentId);
        expect(kinds.filter((kind) => kind === 'document.signed')).toHaveLength(
          signerState === 'COMPLETED' ? 1 : 0,
        );
      }
    },
  );

  it.runIf(server)('twenty wrong codes are as many tries as one may have', async () => {
    const world = await newSigningWorld();
    const { sessionId } = await world.active([{ name: 'Ann' }], {
      useAccessCode: true,
      accessCode: 'harbor-7',
    });
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, () => openSigning(world.through(ann), { ...at(ann), accessCode: 'wrong' })),
    );
    const { codeTries } = config.limits;
    expect(outcomes(settled)).toEqual({ FORBIDDEN: codeTries, RATE_LIMITED: 20 - codeTries });
  });

  it.runIf(server)('twenty calls make one session, and begin it once', async () => {
    const world = await newSigningWorld();
    const { ctx, draft, db } = world;
    const documentId = await world.document();
    const opened = await Promise.all(
      Array.from({ length: 20 }, () => updateSignatureSession(ctx, { documentId })),
    );
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    const draftSession = await draft([{ name: 'Ann' }]);
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        updateSignatureSession(ctx, { documentId: draftSession.documentId, begin: true }),
      ),
    );
    expect(outcomes(settled)).toEqual({ done: 1, CONFLICT: 19 });
    expect(await db.prisma.signatureSession.count({ where: { documentId: draftSession.documentId } })).toBe(
      1,
    );
  });
});
