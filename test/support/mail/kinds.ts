import { inTransaction } from '../../../src/db/transaction.ts';
import { requestEmailChange } from '../../../src/domain/accounts/email-change.ts';
import { requestPasswordReset } from '../../../src/domain/accounts/password-reset.ts';
import { requestSignUp } from '../../../src/domain/accounts/sign-up-link.ts';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { MAX_ATTEMPTS as MAX_FILING_ATTEMPTS } from '../../../src/domain/forms/filing-state.ts';
import { shareFormTemplates } from '../../../src/domain/forms/form-share.ts';
import { submitForm } from '../../../src/domain/forms/form-submit.ts';
import type { MailKind } from '../../../src/domain/mails/mail-kind.ts';
import { type NewMail, queueMails } from '../../../src/domain/mails/queue-mail.ts';
import { inviteMembers } from '../../../src/domain/membership/invitation-create.ts';
import { updateNotificationPreferences } from '../../../src/domain/notifications/notification-preference.ts';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { updateOrganization } from '../../../src/domain/organizations/organization.ts';
import { MAX_ATTEMPTS } from '../../../src/domain/sealing/sealing-state.ts';
import { expireNextSession } from '../../../src/domain/signatures/signature-expiry.ts';
import { remindNextSigner } from '../../../src/domain/signatures/signature-reminder.ts';
import { declineSignature, signDocument } from '../../../src/domain/signing/sign.ts';
import { createWebhooks } from '../../../src/domain/webhooks/webhook-change.ts';
import { endWebhook } from '../../../src/domain/webhooks/webhook-state.ts';
import { handlers } from '../../../src/jobs/handlers.ts';
import { sendNextMail } from '../../../src/jobs/mail.ts';
import { DAY } from '../../../src/lib/time.ts';
import { withApp } from '../factors.ts';
import { newForm } from '../forms.ts';
import { jobContext } from '../jobs.ts';
import { passTime } from '../passed-time.ts';
import { newSigningWorld } from '../signatures.ts';
import { config, joinProject, newMember } from '../world.ts';
import { mailService, type startMailServer } from './server.ts';

/** Names that want to be markup, links and headers. */
const HOSTILE = {
  organization: 'Bank <b>x</b> https://evil.test/a www.evil.test\u202e"',
  person: 'Eve <img src=x> evil.test\r\nBcc: all@evil.test',
  document: 'Invoice "><script>alert(1)</script> http://evil.test.pdf',
  text: 'Click https://evil.test/now <a href="https://evil.test">here</a>\r\n\r\n.\r\nBcc: all@evil.test',
};

/** A world whose names are hostile, with a member, and a document that waits for a signature. */
export async function newMailWorld() {
  const world = await newSigningWorld();
  const { db, owner, organization, project } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  await db.prisma.organization.update({
    where: { id: organization.id },
    data: { name: HOSTILE.organization },
  });
  await db.prisma.user.update({ where: { id: owner.id }, data: { name: HOSTILE.person } });
  const signing = async () => {
    const text = { useCustomMail: true, customSubject: 'Sign', customBody: HOSTILE.text };
    const { documentId, sessionId } = await world.active([{ name: 'Ann' }], text);
    await db.prisma.document.update({ where: { id: documentId }, data: { name: HOSTILE.document } });
    const [signer] = await world.signersOf(sessionId);
    if (!signer) throw new Error('no signer');
    return { documentId, sessionId, signer };
  };
  const account = (kind: MailKind, data: NewMail['data']) =>
    inTransaction(db, (tx) =>
      queueMails(tx, [{ kind, to: member.email, toUserId: member.id, organizationId: null, data }]),
    );
  const mention = async () => {
    const documentId = await world.document();
    await createComments(world.ctx, { documentId, texts: [`@${member.email} ${HOSTILE.text}`] });
    while (await notifyNext(db));
  };
  return { ...world, member, signing, account, mention };
}

type World = Awaited<ReturnType<typeof newMailWorld>>;

async function later({ db, organization }: World, days: number): Promise<void> {
  await passTime(db, organization.id, days * DAY);
  while (await remindNextSigner(db, config.limits));
  while (await expireNextSession(db));
}

const changeEmail = ({ db, member }: World) =>
  requestEmailChange(db, {
    userId: member.id,
    oldEmail: member.email,
    newEmail: `new.${member.email}`,
    ipAddress: '192.0.2.7',
  });

/** What causes a mail of each kind. */
export const CAUSES: Record<MailKind, (world: World) => Promise<unknown>> = {
  INVITATION: ({ ctx, organization }) =>
    inviteMembers(ctx, {
      organizationId: organization.id,
      members: [{ email: 'new.person@example.test', role: 'MEMBER' }],
    }),
  PASSWORD_RESET: ({ db, member }) => requestPasswordReset(db, member.email),
  PASSWORD_CHANGED: ({ account }) =>
    account('PASSWORD_CHANGED', { kind: 'password.changed', ipAddress: '192.0.2.7' }),
  ACCOUNT_ERASED: ({ account }) => account('ACCOUNT_ERASED', { by: 'PERSON' }),
  SECOND_FACTOR_CHANGED: ({ account }) =>
    account('SECOND_FACTOR_CHANGED', { kind: 'recoveryCode.used', ipAddress: null, left: 3 }),
  SECOND_FACTOR_REQUIRED: async ({ db, owner, organization }) => {
    await withApp(db, owner);
    const required = { organizationId: organization.id, requiresSecondFactor: true };
    await updateOrganization(await owner.context(), required);
  },
  NEW_SIGN_IN: ({ account }) => account('NEW_SIGN_IN', { program: HOSTILE.person, ipAddress: '192.0.2.7' }),
  EMAIL_CHANGE: changeEmail,
  EMAIL_CHANGE_NOTICE: changeEmail,
  IDENTITY_CHANGED: ({ account }) =>
    account('IDENTITY_CHANGED', {
      kind: 'identity.linked',
      issuer: 'https://id.test/',
      ipAddress: '192.0.2.7',
    }),
  SIGN_UP: ({ db }) => requestSignUp(db, { email: 'brand.new@example.test', name: HOSTILE.person }),
  SIGNATURE_REQUEST: ({ signing }) => signing(),
  SIGNATURE_REMINDER: async (world) => {
    await world.signing();
    await later(world, 6);
  },
  SIGNATURE_EXPIRED: async (world) => {
    await world.signing();
    await later(world, 31);
  },
  SIGNATURE_COMPLETED: async ({ db, signing, through }) => {
    const { sessionId, signer } = await signing();
    const values = signer.fields.map(({ id: fieldId }) => ({ fieldId, value: 'Signed' }));
    await signDocument(through(signer), { sessionId, recipientId: signer.id, values });
    while (await handlers.seal(await jobContext(db)));
  },
  SIGNATURE_NOT_SEALED: async ({ db, signing, through }) => {
    const { sessionId, signer } = await signing();
    const values = signer.fields.map(({ id: fieldId }) => ({ fieldId, value: 'Signed' }));
    await signDocument(through(signer), { sessionId, recipientId: signer.id, values });
    await db.prisma.signatureSession.update({
      where: { id: sessionId },
      data: { sealingAttempts: MAX_ATTEMPTS },
    });
    while (await handlers.seal(await jobContext(db)));
  },
  FORM_NOT_FILED: async ({ db, ctx, project }) => {
    const form = await newForm(ctx, project.id, [{ name: 'Guest', type: 'TEXT' }], HOSTILE.document);
    await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
    await submitForm(ctx, { formTemplateId: form.id, submissions: [{ answers: [] }] });
    await db.prisma.formSubmission.updateMany({
      where: { formTemplateId: form.id },
      data: { filingAttempts: MAX_FILING_ATTEMPTS },
    });
    while (await handlers.fileForm(await jobContext(db)));
  },
  WEBHOOK_ENDED: async ({ db, ctx, organization }) => {
    const created = { url: 'https://hook.test/"><script>alert(1)</script>', query: '{ kind }' };
    const [hook] = await createWebhooks(ctx, { organizationId: organization.id, webhooks: [created] });
    const end = { state: 'DISABLED' as const, reason: 'Every delivery has failed for three days.' };
    await inTransaction(db, (tx) => endWebhook(tx, hook?.webhook.id ?? '', end));
  },
  SIGNATURE_DECLINED: async ({ signing, through }) => {
    const { sessionId, signer } = await signing();
    await declineSignature(through(signer), { sessionId, recipientId: signer.id, reason: HOSTILE.text });
  },
  NOTIFICATION: ({ mention }) => mention(),
  DIGEST: async ({ member, mention }) => {
    await updateNotificationPreferences(await member.context(), {
      preferences: [{ kind: 'MENTIONED', delivery: 'DIGEST' }],
    });
    await mention();
  },
};

/** Sends all that is queued for the people of a world as if its time had come, and returns the mails of this kind. */
export async function sendKind(
  { db }: Pick<World, 'db'>,
  kind: MailKind,
  server: Awaited<ReturnType<typeof startMailServer>>,
) {
  await db.prisma.mail.updateMany({ where: { state: 'WAITING' }, data: { nextAt: new Date(0) } });
  const mail = mailService(server.settings);
  while (await sendNextMail({ ...(await jobContext(db)), mail }));
  mail.smtp.close();
  const id = `${kind.toLowerCase()}:docgraph`;
  return server.arrived
    .splice(0)
    .filter(({ mail: { headers } }) =>
      headers.some(({ key, value }) => key === 'feedback-id' && value === id),
    );
}
