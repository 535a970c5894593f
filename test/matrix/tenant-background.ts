import { randomBytes } from 'node:crypto';
import { sealSession } from '../../src/domain/sealing/sealing.ts';
import { exportNext } from '../../src/jobs/export.ts';
import { fileForm } from '../../src/jobs/file-form.ts';
import { readNextText } from '../../src/jobs/text.ts';
import { sendDue } from '../../src/jobs/webhook-sender.ts';
import { newId } from '../../src/lib/id.ts';
import { jobContext } from '../support/jobs.ts';
import { docx } from '../support/office/office-files.ts';
import { newReceiver } from '../support/servers/receiver.ts';
import { newDocuments } from '../support/storage.ts';
import type { Building } from './tenant-work.ts';

/** A document that its owner has signed, and that is not sealed yet. */
async function sign({ world, change }: Building, name: string) {
  const { owner, project, db } = world;
  const [document] = await newDocuments(await owner.context(), project.id, [{ name }]);
  const documentId = document?.id as string;
  await change('updateSignatureSession', { documentId, recipients: [{ email: owner.email, rank: 1 }] });
  const { form } = await change('ensureSignatureForm', { documentId });
  await change('addSignatureFields', {
    formId: form.id,
    fields: [{ type: 'SIGNATURE', pageIndex: 0, x: 10, y: 20, recipientRank: 1 }],
  });
  const { session } = await change('updateSignatureSession', { documentId, begin: true });
  const recipient = await db.prisma.signatureRecipient.findFirstOrThrow({
    where: { sessionId: session.id },
    include: { fields: true },
  });
  const signingInput = { sessionId: session.id, recipientId: recipient.id };
  await change('signDocument', {
    ...signingInput,
    values: [{ fieldId: recipient.fields[0]?.id, value: 'Tove' }],
  });
  return { documentId, sessionId: session.id as string };
}

export async function signed(building: Building) {
  const { documentId, sessionId } = await sign(building, 'signed.txt');
  return { signedDocument: documentId, signedSession: sessionId };
}

/** A document with its seal, and with its evidence. */
export async function sealed(building: Building) {
  const { documentId, sessionId } = await sign(building, 'sealed.txt');
  const { db, storage } = await jobContext(building.world.db);
  await sealSession({ db, storage }, sessionId);
  return { sealed: documentId };
}

/** An archive of the organization as it is then. */
export async function exported({ world, change }: Pick<Building, 'world' | 'change'>): Promise<string> {
  const { organizationExport } = await change('exportOrganization', {
    organizationId: world.organization.id,
  });
  await exportNext(await jobContext(world.db));
  return organizationExport.id;
}

/** A document with an extracted text, one whose extraction failed, one under legal hold, and one that could not be converted to PDF. */
export async function read({ world, change }: Building) {
  const { db, owner, project } = world;
  const [legible, unread, underHold, unrendered] = await newDocuments(await owner.context(), project.id, [
    { name: 'legible.txt' },
    { name: 'unread.txt' },
    { name: 'held.txt' },
    { name: 'unrendered.docx', content: docx(project.id) },
  ]);
  const blobOf = async (documentId: string | undefined) =>
    (await db.prisma.revision.findFirstOrThrow({ where: { documentId } })).blobId;
  // Before all other texts to be extracted.
  await db.prisma.blob.update({
    where: { id: await blobOf(legible?.id) },
    data: { textNextAt: new Date(0) },
  });
  await readNextText(await jobContext(db));
  await db.prisma.blob.update({
    where: { id: await blobOf(unread?.id) },
    data: { textStatus: 'FAILED', textError: 'It is damaged.' },
  });
  await db.prisma.rendition.updateMany({
    where: { revision: { documentId: unrendered?.id } },
    data: { state: 'FAILED', error: 'It is damaged.' },
  });
  await change('placeLegalHold', { documentIds: [underHold?.id], reason: 'A dispute' });
  return {
    legible: legible?.id as string,
    unread: unread?.id as string,
    held: underHold?.id as string,
    unrendered: unrendered?.id as string,
  };
}

/** The answers to a form as a document, and others that could not become one. */
export async function filed({ world, at, change }: Building) {
  await fileForm(await jobContext(world.db), at.submission as string);
  const { submissions } = await change('submitForm', {
    formTemplateId: at.formTemplateId,
    submissions: [{ answers: [{ formFieldId: at.formTemplateFieldId, values: ['red'] }] }],
  });
  const [{ id: unfiled }] = submissions;
  await world.db.prisma.formSubmission.update({
    where: { id: unfiled },
    data: { filingErrorCode: 'INTERNAL', filingFailedAt: new Date(0), filingNextAt: null },
  });
  return { unfiled };
}

/** A webhook for later events. */
export async function hooked({ world, change }: Building) {
  const { created } = await change('createWebhooks', {
    organizationId: world.organization.id,
    webhooks: [{ url: 'http://127.0.0.1:9/', kinds: ['project.*', 'task.completed'] }],
  });
  return { webhook: created[0].webhook.id as string };
}

/** Sends the pending deliveries of the webhook. */
export async function sent({ world, at }: Building) {
  const { prisma } = world.db;
  const receiver = await newReceiver();
  const id = at.webhook as string;
  await prisma.webhook.update({ where: { id }, data: { url: receiver.url } });
  await sendDue(await jobContext(world.db), [world.organization.id]);
  receiver.close();
  const where = { webhookId: id, state: 'DELIVERED' as const };
  const { id: delivery } = await prisma.webhookDelivery.findFirstOrThrow({ where });
  await prisma.webhookDelivery.update({
    where: { id: delivery },
    data: { state: 'FAILED', nextTryAt: null },
  });
  const { id: attempt } = await prisma.webhookAttempt.findFirstOrThrow({ where: { deliveryId: delivery } });
  return { delivery, attempt };
}

/** The log of the organization with a time-stamp, whose bytes nobody checks. */
export async function stamped({ world: { db, organization } }: Building) {
  const digest = randomBytes(32);
  const stamp = { digest, size: 1, token: randomBytes(8), authority: 'CN=Clock', stampedAt: new Date() };
  await db.prisma.logStamp.create({ data: stamp });
  const id = newId('LogAnchor');
  const tree = { size: 1, root: randomBytes(32), salt: randomBytes(16), position: 0, path: randomBytes(32) };
  const data = { ...tree, id, organizationId: organization.id, digest, eventSequence: 1 };
  await db.prisma.logAnchor.create({ data });
  const first = await db.prisma.event.findFirstOrThrow({
    where: { organizationId: organization.id, sequence: 1 },
  });
  return { logAnchor: id, stampedEvent: first.id };
}

/** A locked policy that keeps a folder, one that may be changed and keeps nothing, and a disposal. */
export async function retained({ world: { db, organization }, change, at }: Building) {
  const organizationId = organization.id;
  const { fields } = await change('createFields', {
    projectId: at.projectId,
    fields: [{ name: 'Ends', type: 'DATE' }],
  });
  const [{ id: fieldId }] = fields;
  const locked = await change('createRetentionPolicy', {
    ...{ organizationId, name: 'Contracts', startsFrom: 'FIELD', fieldId, action: 'REVIEW' },
    reviewGroupId: at.projectGroup,
  });
  const policyId = locked.retentionPolicy.id;
  await change('assignRetentionPolicy', { policyId, scope: { folderId: at.documentFolderId } });
  await change('assignRetentionPolicy', { policyId, scope: { choice: { fieldId, value: 'none' } } });
  await change('lockRetentionPolicy', { policyId });
  await db.prisma.retainedDocument.create({
    data: { organizationId, documentId: at.documentId as string, policyId },
  });
  const { retentionPolicy } = await change('createRetentionPolicy', {
    ...{ organizationId, name: 'Drafts', keep: 'P1Y', startsFrom: 'CREATED', action: 'NOTHING' },
  });
  const scope = { choice: { fieldId, value: 'draft' } };
  await change('assignRetentionPolicy', { policyId: retentionPolicy.id, scope });
  const assignment = await db.prisma.retentionAssignment.findFirstOrThrow({
    where: { policyId: retentionPolicy.id },
  });
  const disposal = newId('Disposal');
  const rest = { policyId, policyName: 'Contracts', documentCount: 1, bytesFreed: 1n };
  await db.prisma.disposal.create({
    data: {
      organizationId,
      id: disposal,
      ...rest,
      certificate: '{}',
      sha256: new Uint8Array(32),
      seal: new Uint8Array(1),
    },
  });
  return { retentionPolicy: retentionPolicy.id, retentionAssignment: assignment.id, disposal };
}
