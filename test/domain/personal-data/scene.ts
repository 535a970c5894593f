import { inTransaction } from '../../../src/db/transaction.ts';
import { requestEmailChange } from '../../../src/domain/accounts/email-change.ts';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { verifyChains } from '../../../src/domain/events/audit-verify.ts';
import { followDocuments } from '../../../src/domain/follows/follow-change.ts';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { queueMails } from '../../../src/domain/mails/queue-mail.ts';
import { createGroups } from '../../../src/domain/membership/group-change.ts';
import { addGroupMembers } from '../../../src/domain/membership/group-member-change.ts';
import { inviteMembers } from '../../../src/domain/membership/invitation-create.ts';
import { stopSignatureSession } from '../../../src/domain/signatures/signature-session-change.ts';
import { declineSignature, signDocument } from '../../../src/domain/signing/sign.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { createClientLog } from '../../../src/domain/users/client-log.ts';
import { updatePreferences } from '../../../src/domain/users/preference.ts';
import { newId } from '../../../src/lib/id.ts';
import { hashSecret, newSecret } from '../../../src/lib/secret.ts';
import { newSigningWorld } from '../../support/signatures.ts';
import { config, joinProject, newMember, newWorld } from '../../support/world.ts';

export const BROWSER = 'Mozilla/5.0 (Nobody)';
export const ADDRESS = '198.51.100.77';

/** A person who did something of everything: in the organization of `owner`, and invited by another one. */
export async function newPersonScene() {
  const world = await newSigningWorld();
  const { db, organization, project, ctx: ownerCtx } = world;
  const person = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, person, 'EDITOR');
  const ctx = { ...(await person.context()), client: { address: ADDRESS, userAgent: BROWSER } };
  const userId = person.id;
  const documentId = await world.document('report.txt');
  await createComments(ctx, {
    documentId,
    texts: [`Write to ${person.email.toUpperCase()}, please`, 'marigold'],
  });
  await createComments(ownerCtx, { documentId, texts: [`x${person.email} is another address`] });
  await createTasks(ownerCtx, {
    projectId: project.id,
    tasks: [{ name: 'Check', assigneeEmail: person.email }],
  });
  await followDocuments(ctx, { documentIds: [documentId] });
  await updatePreferences(ctx, { preferences: [{ name: 'theme', value: 'dark' }] });
  await createClientLog(ctx, { header: 'started', values: ['1'] });
  const [group] = await createGroups(ownerCtx, {
    organizationId: organization.id,
    groups: [{ name: 'Crew' }],
  });
  const members = await db.prisma.membership.findMany({ where: { userId } });
  await addGroupMembers(ownerCtx, { groupId: group?.id as string, memberIds: members.map(({ id }) => id) });
  await db.prisma.signIn.create({
    data: {
      ...{ id: newId('SignIn'), secretHash: hashSecret(newSecret('dgs_')), userId, userAgent: BROWSER },
      ...{ ipAddress: ADDRESS, expiresAt: new Date('2099-01-01') },
    },
  });
  await db.prisma.passkey.create({
    data: {
      ...{ id: newId('Passkey'), userId, credentialId: Buffer.from(userId), publicKey: new Uint8Array([1]) },
      ...{ counter: 0n, transports: [], relyingPartyId: 'docgraph.test', name: 'Phone' },
    },
  });
  await db.prisma.externalIdentity.create({
    data: {
      id: newId('ExternalIdentity'),
      userId,
      issuer: 'https://id.test',
      subject: userId,
      email: person.email,
    },
  });
  await requestEmailChange(db, {
    ...{ userId, oldEmail: person.email, newEmail: `next.${person.email}`, ipAddress: ADDRESS },
  });
  await inTransaction(db, (tx) =>
    queueMails(tx, [{ kind: 'PASSWORD_CHANGED', to: person.email, toUserId: userId, organizationId: null }]),
  );
  const elsewhere = await newWorld(db);
  await inviteMembers(await elsewhere.owner.context(), {
    organizationId: elsewhere.organization.id,
    members: [{ email: person.email, role: 'MEMBER' }],
  });
  const verify = async () => {
    const faults: string[] = [];
    for (const { id } of [organization, elsewhere.organization])
      for await (const { finding } of verifyChains(db, id)) if (finding) faults.push(finding.text);
    return faults;
  };
  const site = { db, storage: ctx.storage, limits: config.limits };
  return {
    ...world,
    person,
    ctx,
    site,
    documentId,
    elsewhere,
    verify,
    signings: () => signings(world, person, ctx),
  };
}

/** The person signs one document, declines another, and is to sign a third and a fourth one, which has not begun. */
async function signings(
  { active, draft, signersOf, ctx }: Awaited<ReturnType<typeof newSigningWorld>>,
  { email }: { email: string },
  signer: Context,
) {
  const of = { name: 'Pat Personal', email };
  const [signed, declined, open] = [await active([of]), await active([of]), await active([of])];
  const drafted = await draft([of]);
  const recipientOf = async (sessionId: string) => {
    const [recipient] = await signersOf(sessionId);
    if (!recipient) throw new Error('no signer');
    return recipient;
  };
  const recipient = await recipientOf(signed.sessionId);
  await signDocument(signer, {
    ...{ sessionId: signed.sessionId, recipientId: recipient.id },
    values: recipient.fields.map(({ id: fieldId }) => ({ fieldId, value: 'Pat Personal' })),
  });
  const { id: recipientId } = await recipientOf(declined.sessionId);
  await declineSignature(signer, { sessionId: declined.sessionId, recipientId, reason: 'Not mine' });
  await stopSignatureSession(ctx, { documentId: declined.documentId }).catch(() => undefined);
  return { signed, declined, open, drafted, recipientOf };
}
