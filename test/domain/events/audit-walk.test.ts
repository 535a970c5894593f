import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyChains } from '../../../src/domain/events/audit-verify.ts';
import { ChainWalk, type Finding, type Head } from '../../../src/domain/events/audit-walk.ts';
import { eventHash } from '../../../src/domain/kernel/record/event-hash.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import type { Event } from '../../../src/generated/prisma/client.ts';
import { testDatabase } from '../../support/database.ts';
import { newWorld } from '../../support/world.ts';

const COUNT = 12;

/** A chain of events as servers wrote it: the first half in version 1 of the hash, the other in version 2. */
function chain(): { rows: Event[]; head: Head } {
  const rows: Event[] = [];
  let hash = new Uint8Array();
  for (let n = 1; n <= COUNT; n++) {
    const row = {
      organizationId: 'org_1',
      sequence: BigInt(n),
      id: `evt_${n}`,
      projectId: n % 3 === 0 ? null : 'prj_1',
      subjectId: `doc_${n % 4}`,
      kind: 'document.renamed',
      actorId: 'usr_1',
      credentialId: null,
      clientId: n % 5 === 0 ? 'cli_1' : null,
      requestId: `r${n}`,
      via: n % 4 === 0 ? 'mcp:tasks.create' : null,
      data: { before: { name: `a${n}` }, after: { name: `b${n}`, deep: { z: n, a: [n, null] } } },
      createdAt: new Date(1_900_000_000_000 + n),
      hashVersion: n > COUNT / 2 ? 2 : 1,
      salt: n > COUNT / 2 ? new Uint8Array(16).fill(n) : null,
      redactedById: null,
      dataHash: null,
      stateHash: n % 6 === 0 ? new Uint8Array(32).fill(n) : null,
    };
    hash = eventHash(hash, row);
    rows.push({ ...row, hash });
  }
  return { rows, head: { sequence: BigInt(COUNT), hash } };
}

function walk(rows: readonly Event[], head: Head | undefined): Finding | undefined {
  const steps = new ChainWalk();
  for (const row of rows) {
    const fault = steps.step(row);
    if (fault) return fault;
  }
  return steps.end(head);
}

const position = fc.integer({ min: 1, max: COUNT });

const EDITS: Record<string, (row: Event) => Event> = {
  kind: (row) => ({ ...row, kind: `${row.kind}!` }),
  subject: (row) => ({ ...row, subjectId: 'doc_other' }),
  project: (row) => ({ ...row, projectId: row.projectId ? null : 'prj_2' }),
  actor: (row) => ({ ...row, actorId: null }),
  credential: (row) => ({ ...row, credentialId: 'key_1' }),
  application: (row) => ({ ...row, clientId: row.clientId ? null : 'cli_2' }),
  request: (row) => ({ ...row, requestId: null }),
  tool: (row) => ({ ...row, via: row.via ? null : 'mcp:tasks.complete' }),
  id: (row) => ({ ...row, id: `${row.id}0` }),
  time: (row) => ({ ...row, createdAt: new Date(row.createdAt.getTime() + 1) }),
  data: (row) => ({ ...row, data: { ...(row.data as object), more: true } }),
  version: (row) => ({ ...row, hashVersion: 3 - row.hashVersion }),
  deepData: (row) => ({ ...row, data: JSON.parse(JSON.stringify(row.data).replace('null', '0')) }),
  hash: (row) => ({
    ...row,
    hash: row.hash.map((byte, index) => (index === 5 ? byte ^ 1 : byte)) as Event['hash'],
  }),
};

const change = fc.oneof(
  fc.record({
    how: fc.constant('edit' as const),
    at: position,
    column: fc.constantFrom(...Object.keys(EDITS)),
  }),
  fc.record({ how: fc.constant('delete' as const), at: position }),
  fc
    .record({ how: fc.constant('swap' as const), at: position, with: position })
    .filter((each) => each.at !== each.with),
);

describe('the verification of a chain of events', () => {
  it('reports nothing for an unchanged chain', () => {
    const { rows, head } = chain();
    expect(walk(rows, head)).toBeUndefined();
    expect(walk([], undefined)).toBeUndefined();
  });

  it('reports the first row of any edit, deletion or swap', () => {
    fc.assert(
      fc.property(change, (edit) => {
        const { rows, head } = chain();
        const index = edit.at - 1;
        if (edit.how === 'edit')
          rows[index] = (EDITS[edit.column] as (row: Event) => Event)(rows[index] as Event);
        if (edit.how === 'delete') rows.splice(index, 1);
        if (edit.how === 'swap') {
          const [one, other] = [rows[index] as Event, rows[edit.with - 1] as Event];
          rows[index] = { ...other, sequence: one.sequence };
          rows[edit.with - 1] = { ...one, sequence: other.sequence };
        }
        const first = edit.how === 'swap' ? Math.min(edit.at, edit.with) : edit.at;
        expect(walk(rows, head)?.sequence).toBe(BigInt(first));
      }),
      { numRuns: 1_000 },
    );
  });

  it('reports the row after one that was changed together with its hash', () => {
    const { rows, head } = chain();
    const { hash: _, ...row } = { ...(rows[4] as Event), kind: 'document.forged' };
    rows[4] = { ...row, hash: eventHash((rows[3] as Event).hash, row as never) };
    expect(walk(rows, head)).toMatchObject({
      sequence: 6n,
      text: expect.stringContaining('the one before it'),
    });
  });

  it('compares the last row with the head', () => {
    const { rows, head } = chain();
    const last = rows.at(-1) as Event;
    expect(walk(rows, undefined)?.text).toContain('the head of the chain is missing');
    expect(walk(rows, { ...head, hash: new Uint8Array(32) })?.text).toContain('has another hash');
    expect(walk(rows, { ...head, sequence: 15n })).toMatchObject({ sequence: 13n });
    const { hash: _, ...forged } = { ...last, sequence: 13n, id: 'evt_13' };
    const added = { ...forged, hash: eventHash(last.hash, forged as never) };
    expect(walk([...rows, added], head)).toMatchObject({
      sequence: 13n,
      text: expect.stringContaining('added'),
    });
    expect(walk([...rows, last], head)?.text).toContain('twice');
  });
});

describe('the salt of an event', () => {
  it.each([
    ['another', (salt: Uint8Array<ArrayBuffer>) => salt.map((byte) => byte ^ 1)],
    ['none', () => null],
  ])('is verified with its content: %s', (_, change) => {
    const { rows, head } = chain();
    const row = rows[8] as Event;
    rows[8] = { ...row, salt: change(row.salt as Uint8Array<ArrayBuffer>) };
    expect(walk(rows, head)?.sequence).toBe(9n);
  });
});

describe('the chains in the database', () => {
  beforeAll(testDatabase);

  const verify = async (db: Parameters<typeof verifyChains>[0], organizationId: string) => {
    const verdicts = [];
    for await (const verdict of verifyChains(db, organizationId, 2)) verdicts.push(verdict);
    return verdicts;
  };

  it('are valid, over more than one page, until a row is changed', async () => {
    const { db, owner, organization, project } = await newWorld();
    const ctx = await owner.context();
    const { id: organizationId } = organization;
    expect(await verify(db, organizationId)).toEqual([
      { organizationId, events: 3n, redacted: 0, finding: undefined },
    ]);
    const rename = (name: string) => updateProject(ctx, { projectId: project.id, name });
    await rename('One');
    await rename('Two');
    expect(await verify(db, organizationId)).toEqual([
      { organizationId, events: 5n, redacted: 0, finding: undefined },
    ]);
    await db.prisma.event.update({
      where: { organizationId_sequence: { organizationId, sequence: 4n } },
      data: { data: { after: { name: 'Never' } } },
    });
    const [edited] = await verify(db, organizationId);
    expect(edited).toMatchObject({ events: 3n, finding: { sequence: 4n } });
    await db.prisma.event.delete({ where: { organizationId_sequence: { organizationId, sequence: 4n } } });
    expect((await verify(db, organizationId))[0]?.finding?.text).toBe('Event 4 is missing.');
  });

  it('are compared with their heads', async () => {
    const { db, organization } = await newWorld();
    const { id: organizationId } = organization;
    await db.prisma.event.delete({ where: { organizationId_sequence: { organizationId, sequence: 3n } } });
    const [cut] = await verify(db, organizationId);
    expect(cut).toMatchObject({ events: 2n, finding: { sequence: 3n } });
    expect(cut?.finding?.text).toContain('according to the head of the chain, 3 is the last one');
  });

  it('of an unknown organization are none', async () => {
    const { db } = await newWorld();
    expect(await verify(db, 'org_00000000000000000000000000')).toEqual([]);
  });

  it('are verified in order of the organizations, each once, without an organization', async () => {
    const { db, organization } = await newWorld();
    const verified: string[] = [];
    for await (const { organizationId } of verifyChains(db)) verified.push(organizationId);
    expect(verified).toContain(organization.id);
    const all = await db.prisma.organization.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
    expect(verified).toEqual(all.map(({ id }) => id));
  });
});
