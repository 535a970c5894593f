import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/transaction.ts';
import { verifyChains } from '../../../src/domain/events/audit-verify.ts';
import { changes, recordEvents } from '../../../src/domain/kernel/audit.ts';
import { dataHash, eventHash } from '../../../src/domain/kernel/record/event-hash.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { newId, typeOfId } from '../../../src/lib/id.ts';
import { newWorld } from '../../support/world.ts';

/** A row without its hash, as version 1 has it. */
const ROW = {
  organizationId: 'org_1',
  sequence: 7n,
  id: 'evt_7',
  projectId: null,
  subjectId: 'doc_1',
  kind: 'document.renamed',
  actorId: 'usr_1',
  credentialId: null,
  requestId: 'r7',
  data: { b: [{ z: 1, a: 2 }, null], a: 'ü' },
  createdAt: new Date(1_900_000_000_000),
};

it('numbers the events of an organization without gaps, each hash covering the one before', async () => {
  const { db, owner, organization, project } = await newWorld();
  await updateProject(await owner.context(), { projectId: project.id, name: 'Renamed' });
  const events = await db.prisma.event.findMany({
    where: { organizationId: organization.id },
    orderBy: { sequence: 'asc' },
  });
  expect(events.map(({ sequence, kind }) => [Number(sequence), kind])).toEqual([
    [1, 'organization.created'],
    [2, 'member.added'],
    [3, 'project.created'],
    [4, 'project.updated'],
  ]);
  const { viewer } = await owner.context();
  expect(events[3]).toMatchObject({
    projectId: project.id,
    subjectId: project.id,
    actorId: viewer.userId,
    credentialId: viewer.credentialId,
    data: { before: { name: 'Quay' }, after: { name: 'Renamed' } },
  });
  let before = new Uint8Array();
  for (const { hash, ...row } of events) {
    expect(typeOfId(row.id)).toBe('Event');
    before = eventHash(before, row as never);
    expect(Buffer.from(hash).equals(before)).toBe(true);
  }
});

it('hashes a row as earlier releases did, for any order of its members', () => {
  const turned = { ...Object.fromEntries(Object.entries(ROW).reverse()), data: { a: 'ü', b: ROW.data.b } };
  for (const each of [ROW, turned as typeof ROW])
    expect(Buffer.from(eventHash(Uint8Array.of(1, 2), each)).toString('hex')).toBe(
      '5d7aeff3a87b11630258049063643c766a3afa1bc657f4f6fdb4abf4b1dc0e6e',
    );
});

it('hashes a row of version 2 over the hash of its content, which is salted', () => {
  const salt = new Uint8Array(16).fill(5);
  const row = { ...ROW, clientId: null, hashVersion: 2, salt };
  const content = '{"a":"ü","b":[{"a":2,"z":1},null]}';
  const ofContent = createHash('sha256').update(salt).update(content).digest('hex');
  const envelope =
    '{"actorId":"usr_1","clientId":null,"createdAt":"2030-03-17T17:46:40.000Z","credentialId":null,' +
    `"dataHash":"${ofContent}","hashVersion":2,"id":"evt_7","kind":"document.renamed","organizationId":"org_1",` +
    '"projectId":null,"requestId":"r7","sequence":"7","subjectId":"doc_1"}';
  expect(Buffer.from(dataHash(salt, row.data)).toString('hex')).toBe(ofContent);
  expect(Buffer.from(eventHash(Uint8Array.of(1, 2), row))).toEqual(
    createHash('sha256').update(Uint8Array.of(1, 2)).update(envelope).digest(),
  );
});

it('gives each event a salt of its own', async () => {
  const { db, organization } = await newWorld();
  const rows = await db.prisma.event.findMany({ where: { organizationId: organization.id } });
  expect(rows.map(({ hashVersion, salt }) => [hashVersion, salt?.length])).toEqual(Array(3).fill([2, 16]));
  expect(new Set(rows.map(({ salt }) => Buffer.from(salt as Uint8Array).toString('hex'))).size).toBe(3);
});

it('continues a chain after an event of an earlier version, which itself follows those of this one', async () => {
  const { db, owner, organization, project } = await newWorld();
  const rename = async (name: string) =>
    updateProject(await owner.context(), { projectId: project.id, name });
  const head = await db.prisma.eventHead.findUniqueOrThrow({ where: { organizationId: organization.id } });
  const row = {
    organizationId: organization.id,
    sequence: head.sequence + 1n,
    id: newId('Event'),
    projectId: project.id,
    subjectId: project.id,
    kind: 'project.updated',
    actorId: owner.id,
    credentialId: null,
    clientId: null,
    requestId: 'r1',
    data: { before: { name: 'Quay' }, after: { name: 'Pier' } },
    createdAt: new Date(),
  };
  const hash = eventHash(head.hash, row);
  await db.prisma.event.create({ data: { ...row, hash } });
  await db.prisma.eventHead.update({
    where: { organizationId: organization.id },
    data: { sequence: row.sequence, hash },
  });
  await rename('Jetty');
  const reports = [];
  for await (const report of verifyChains(db, organization.id)) reports.push(report);
  expect(reports).toEqual([{ organizationId: organization.id, events: 5n, redacted: 0 }]);
});

it('records no event before the one before it, whatever the clock says', async () => {
  const { db, owner, organization, project } = await newWorld();
  const recordedAt = new Date(Date.now() + 60_000);
  await db.prisma.eventHead.update({ where: { organizationId: organization.id }, data: { recordedAt } });
  for (const name of ['Pier', 'Jetty'])
    await updateProject(await owner.context(), { projectId: project.id, name });
  const rows = await db.prisma.event.findMany({
    where: { organizationId: organization.id, kind: 'project.updated' },
  });
  expect(rows.map(({ createdAt }) => createdAt)).toEqual([recordedAt, recordedAt]);
});

it('appends the events of several organizations in the order of their ids, so that two writers do not deadlock', async () => {
  const [one, other] = [await newWorld(), await newWorld()];
  const nobody = { viewer: { userId: null, credentialId: null }, requestId: 'r1' };
  const noted = ({ organization }: typeof one, kind: string) => ({
    organizationId: organization.id,
    subjectId: organization.id,
    kind,
  });
  const happened = [noted(other, 'a'), noted(one, 'b'), noted(other, 'c')];
  const rows = await inTransaction(one.db, (tx) => recordEvents(nobody, tx, happened));
  expect(rows.map(({ organizationId, sequence, kind }) => [organizationId, Number(sequence), kind])).toEqual([
    [one.organization.id, 4, 'b'],
    [other.organization.id, 4, 'a'],
    [other.organization.id, 5, 'c'],
  ]);
  expect(rows[0]).toMatchObject({
    ...{ actorId: null, credentialId: null, projectId: null },
    ...{ requestId: 'r1', data: {} },
  });
});

it('records the changed values of a change, before and after', () => {
  const before = { name: 'a', size: 1n, at: new Date(0), gone: 'x', same: [1] };
  const after = { name: 'b', size: 2n, at: new Date(1), gone: undefined, same: [1] };
  expect(changes(before, after)).toEqual({
    before: { name: 'a', size: 1, at: '1970-01-01T00:00:00.000Z', gone: 'x' },
    after: { name: 'b', size: 2, at: '1970-01-01T00:00:00.001Z', gone: null },
  });
});

it('adds no event and uses no number if a command fails', async () => {
  const { db, owner, organization } = await newWorld();
  const input = {
    organizationId: organization.id,
    projects: [{ name: 'x', source: { projectId: 'prj_00000000000000000000000000' } }],
  };
  await expect(createProjects(await owner.context(), input)).rejects.toThrow('Source project not found.');
  const head = await db.prisma.eventHead.findUniqueOrThrow({ where: { organizationId: organization.id } });
  expect(Number(head.sequence)).toBe(3);
});

it.runIf(process.env.TEST_DATABASE_URL)('keeps the chain valid with twenty concurrent commands', async () => {
  const { db, owner, organization } = await newWorld();
  const context = await owner.context();
  const commands = Array.from({ length: 20 }, (_, index) =>
    createProjects(context, { organizationId: organization.id, projects: [{ name: `P${index}` }] }),
  );
  await Promise.all(commands);
  const events = await db.prisma.event.findMany({
    where: { organizationId: organization.id },
    orderBy: { sequence: 'asc' },
  });
  expect(events.map(({ sequence }) => Number(sequence))).toEqual(
    Array.from({ length: 23 }, (_, index) => index + 1),
  );
});
