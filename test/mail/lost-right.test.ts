import { beforeEach, describe, expect, it } from 'vitest';
import { createComments } from '../../src/domain/comments/comment.ts';
import { inviteMembers } from '../../src/domain/membership/invitation-create.ts';
import { removeMembers, updateMember } from '../../src/domain/membership/member-change.ts';
import { notifyNext } from '../../src/domain/notifications/notify.ts';
import { renewSignatureLinks } from '../../src/domain/signatures/signature-link.ts';
import { remindSigners } from '../../src/domain/signatures/signature-reminder.ts';
import { updateSignatureSession } from '../../src/domain/signatures/signature-session-change.ts';
import { signDocument } from '../../src/domain/signing/sign.ts';
import { sendNextMail } from '../../src/jobs/mail.ts';
import { DAY } from '../../src/lib/time.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { passTime } from '../support/passed-time.ts';
import { newSigningWorld } from '../support/signatures.ts';
import { joinProject, newMember, type Person } from '../support/world.ts';

beforeEach(() => dropJobs());

async function scene() {
  const world = await newSigningWorld();
  const { db, owner, organization, project } = world;
  const admin = await newMember(db, organization.id, 'ADMIN');
  const where = { userId: admin.id, organizationId: organization.id };
  const { id: memberId } = await db.prisma.membership.findFirstOrThrow({ where });
  const send = async () => {
    await db.prisma.mail.updateMany({ where: { state: 'WAITING' }, data: { nextAt: new Date(0) } });
    while (await sendNextMail(await jobContext(db)));
  };
  const stateOf = async (kind: string) => {
    const newest = { organizationId: organization.id, kind };
    const mail = await db.prisma.mail.findFirst({ where: newest, orderBy: { id: 'desc' } });
    return mail?.state;
  };
  return { ...world, db, owner, organization, project, admin, memberId, send, stateOf };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** What an admin does that queues a mail in their name. */
const ACTS: [kind: string, act: (scene: Scene) => Promise<unknown>][] = [
  [
    'INVITATION',
    async ({ admin, organization }) =>
      inviteMembers(await admin.context(), {
        organizationId: organization.id,
        members: [{ email: `guest-of-${admin.email}`, role: 'MEMBER' }],
      }),
  ],
  [
    'SIGNATURE_REQUEST',
    async ({ admin, draft }) => {
      const { documentId } = await draft([{ name: 'Ann' }]);
      await updateSignatureSession(await admin.context(), { documentId, begin: true });
    },
  ],
  [
    'SIGNATURE_REQUEST',
    async ({ admin, active, signersOf, send }) => {
      const { documentId, sessionId } = await active([{ name: 'Ann' }]);
      await send();
      const recipientIds = (await signersOf(sessionId)).map(({ id }) => id);
      await renewSignatureLinks(await admin.context(), { documentId, recipientIds });
    },
  ],
  [
    'SIGNATURE_REMINDER',
    async ({ db, admin, organization, active, signersOf, send }) => {
      const { documentId, sessionId } = await active([{ name: 'Ann' }]);
      await send();
      await passTime(db, organization.id, 2 * DAY);
      const recipientIds = (await signersOf(sessionId)).map(({ id }) => id);
      await remindSigners(await admin.context(), { documentId, recipientIds });
    },
  ],
];

const requireFactor = ({ db, organization }: Pick<Scene, 'db' | 'organization'>) =>
  db.prisma.organization.update({
    where: { id: organization.id },
    data: { requiresSecondFactor: true, secondFactorSince: new Date(Date.now() + DAY) },
  });

/** How the admin loses the right to do that. */
const LOSSES: [how: string, lose: (scene: Scene) => Promise<unknown>][] = [
  [
    'is demoted',
    async ({ owner, memberId }) => updateMember(await owner.context(), { memberId, role: 'GUEST' }),
  ],
  [
    'is removed',
    async ({ owner, organization, memberId }) =>
      removeMembers(await owner.context(), { organizationId: organization.id, memberIds: [memberId] }),
  ],
  [
    'has a closed account',
    ({ db, admin }) => db.prisma.user.update({ where: { id: admin.id }, data: { disabledAt: new Date() } }),
  ],
  [
    'lacks a second factor that is required now of them and of their API keys',
    async ({ db, organization, admin }) => {
      await db.prisma.apiKey.updateMany({ where: { userId: admin.id }, data: { secondFactor: false } });
      const data = { requiresSecondFactor: true };
      await db.prisma.organization.update({ where: { id: organization.id }, data });
    },
  ],
];

describe.each(ACTS)('a queued mail of the kind %s', (kind, act) => {
  it.each(LOSSES)('is not sent if who caused it %s before', async (_, lose) => {
    const world = await scene();
    await act(world);
    expect(await world.stateOf(kind)).toBe('WAITING');
    await lose(world);
    await world.send();
    expect(await world.stateOf(kind)).toBe('CANCELLED');
  });

  it('is sent if who caused it lacks a second factor, but has an API key that is older than the rule', async () => {
    const world = await scene();
    await act(world);
    await world.db.prisma.apiKey.updateMany({
      where: { userId: world.admin.id },
      data: { secondFactor: false },
    });
    await requireFactor(world);
    await world.send();
    expect(await world.stateOf(kind)).toBe('OUTBOX');
  });

  it('is sent otherwise', async () => {
    const world = await scene();
    await act(world);
    await world.send();
    expect(await world.stateOf(kind)).toBe('OUTBOX');
  });
});

it('the request to the next signer, which a signature causes, does not depend on who began', async () => {
  const world = await scene();
  const { admin, draft, signersOf, through, send } = world;
  const { documentId, sessionId } = await draft([
    { name: 'Ann', rank: 1 },
    { name: 'Bob', rank: 2 },
  ]);
  await updateSignatureSession(await admin.context(), { documentId, begin: true });
  await send();
  await LOSSES[1]?.[1](world);
  const [ann] = await signersOf(sessionId);
  if (!ann) throw new Error('no signer');
  const values = ann.fields.map(({ id: fieldId }) => ({ fieldId, value: 'Signed' }));
  await signDocument(through(ann), { sessionId, recipientId: ann.id, values });
  await send();
  expect(await world.stateOf('SIGNATURE_REQUEST')).toBe('OUTBOX');
});

describe('a queued notification', () => {
  const mention = async ({ ctx, db, document }: Scene, { email }: Person) => {
    const documentId = await document();
    await createComments(ctx, { documentId, texts: [`@${email} look`] });
    while (await notifyNext(db));
  };

  it.each(LOSSES)('is not mailed to who %s before', async (_, lose) => {
    const world = await scene();
    await mention(world, world.admin);
    expect(await world.stateOf('NOTIFICATION')).toBe('WAITING');
    await lose(world);
    await world.send();
    expect(await world.stateOf('NOTIFICATION')).toBe('CANCELLED');
  });

  it('is mailed otherwise', async () => {
    const world = await scene();
    const member = await newMember(world.db, world.organization.id, 'MEMBER');
    await joinProject(world.db, world.project, member, 'EDITOR');
    await mention(world, member);
    await world.send();
    expect(await world.stateOf('NOTIFICATION')).toBe('OUTBOX');
  });
});
