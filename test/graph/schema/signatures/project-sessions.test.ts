import { expect, it } from 'vitest';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { updateSignatureSession } from '../../../../src/domain/signatures/signature-session-change.ts';
import type { Project } from '../../../../src/generated/prisma/client.ts';
import { counted } from '../../../support/database.ts';
import { newSigningWorld } from '../../../support/signatures.ts';
import { joinProject, newMember, type Person } from '../../../support/world.ts';

const LIST = `query ($id: ID!, $state: SignatureSessionState) { project(id: $id) { signatureSessions(first: 50, state: $state) {
  totalCount nodes { id state project { id } document { name } sealing { state } recipients(first: 5) { nodes { fullName state } } } } } }`;

const listOf = async (person: Person, id: string, state?: string) =>
  (await person.graph(LIST, { id, state })).data.project?.signatureSessions;

const idsOf = async (...args: Parameters<typeof listOf>): Promise<string[]> =>
  (await listOf(...args)).nodes.map(({ id }: { id: string }) => id);

it('the sessions of a project are listed newest first, and by state', async () => {
  const desk = await newSigningWorld();
  const { owner, project } = desk;
  const draft = await desk.draft([{ name: 'Ann' }]);
  const active = await desk.active([{ name: 'Bea' }]);
  expect(await idsOf(owner, project.id)).toEqual([active.sessionId, draft.sessionId]);
  expect(await idsOf(owner, project.id, 'ACTIVE')).toEqual([active.sessionId]);
  await updateSignatureSession(desk.ctx, { documentId: active.documentId, reset: true });
  expect(await idsOf(owner, project.id, 'STOPPED')).toEqual([active.sessionId]);
  expect((await listOf(owner, project.id)).totalCount).toBe(3);
});

it('who sees a project in part sees the sessions of the documents that they see', async () => {
  const desk = await newSigningWorld();
  const { db, owner, organization, stranger } = desk;
  const [restricted] = await createProjects(await owner.context(), {
    organizationId: organization.id,
    projects: [{ name: 'Restricted', access: 'RESTRICTED' }],
  });
  const { id: projectId } = restricted as Project;
  const { documentId, sessionId } = await desk.active([{ name: 'Ann' }]);
  await db.prisma.document.update({ where: { id: documentId }, data: { projectId } });
  await db.prisma.signatureSession.update({ where: { id: sessionId }, data: { projectId } });
  const viewer = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, restricted as Project, viewer, 'VIEWER');
  expect(await idsOf(viewer, projectId)).toEqual([]);
  await db.prisma.documentAssignment.create({
    data: { organizationId: organization.id, documentId, email: viewer.email },
  });
  expect(await idsOf(viewer, projectId)).toEqual([sessionId]);
  expect(await listOf(stranger, projectId)).toBeUndefined();
});

it('the statements of the list are as many for 2 as for 20', async () => {
  const desk = await newSigningWorld();
  const { owner, project } = desk;
  const add = async (count: number) => {
    for (let more = 0; more < count; more++) await desk.active([{ name: 'Ann' }, { name: 'Bea' }]);
  };
  await add(2);
  const few = await counted(() => listOf(owner, project.id));
  await add(18);
  const many = await counted(() => listOf(owner, project.id));
  expect(many.result.totalCount).toBe(20);
  expect(many.statements).toEqual(few.statements);
});

it('a session that a process of the version before creates gets the project of its document', async () => {
  const desk = await newSigningWorld();
  const { db, project } = desk;
  const { sessionId } = await desk.draft([{ name: 'Ann' }]);
  const id = sessionId.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  await db.prisma
    .$executeRaw`INSERT INTO signature_sessions (organization_id, id, document_id, revision_id, created_by_id, state, stopped_at)
    SELECT organization_id, ${id}, document_id, revision_id, created_by_id, 'STOPPED', now() FROM signature_sessions WHERE id = ${sessionId}`;
  expect(await db.prisma.signatureSession.findUnique({ where: { id } })).toMatchObject({
    projectId: project.id,
  });
});
