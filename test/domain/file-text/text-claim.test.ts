import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { endText, startRecognition } from '../../../src/domain/file-text/file-text.ts';
import {
  type Claim,
  type ClaimOptions,
  chargeReading,
  claimText,
  releaseText,
  yieldText,
} from '../../../src/domain/file-text/text-claim.ts';
import { TextLane } from '../../../src/jobs/text-lane.ts';
import { newId } from '../../../src/lib/id.ts';
import { testDatabase } from '../../support/database.ts';
import { dropJobs } from '../../support/jobs.ts';
import { explaining } from '../../support/plans.ts';
import { newPerson, type Person } from '../../support/world.ts';

let db: Database;
let owner: Person;
beforeEach(async () => {
  db = await testDatabase();
  owner ??= await newPerson(db);
  await dropJobs();
});

interface File {
  size?: number;
  attempts?: number;
  turns?: number;
  /** Seconds from now until it is due. */
  due?: number;
}

/** An organization with these pending files; returns its id and their ids. */
async function newOrganization(...files: File[]) {
  const id = newId('Organization');
  await db.prisma.organization.create({ data: { id, name: id, nameKey: id, createdById: owner.id } });
  const blobs = files.map((file) => ({ id: newId('Blob'), ...file }));
  for (const { id: blob, size = 100, attempts = 0, turns = 0, due = -60 } of blobs)
    await db.query(sql`INSERT INTO blobs (organization_id, id, sha256, size, content_type, text_attempts, text_turns, text_next_at)
      VALUES (${id}, ${blob}, sha256(convert_to(${blob}::text, 'UTF8')), ${size}, 'text/plain', ${attempts}, ${turns}, now() + ${due} * interval '1 second')`);
  return { id, files: blobs.map(({ id: blob }) => blob) };
}

/** Claims all due files in order and charges `ms` for each; returns the claims. */
async function readAll(ms: (organizationId: string) => number): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (let turn: ClaimOptions = {}; ; ) {
    const claim = await claimText(db, 'READ', turn);
    if (!claim) return claims;
    claims.push(claim);
    await endText(db, claim, 'NONE', null);
    await chargeReading(db, claim, ms(claim.organizationId));
    turn = { after: claim.organizationId };
  }
}

const many = (count: number, file: File = {}) => Array.from({ length: count }, () => file);

describe('the next file whose text is extracted', () => {
  it('belongs to the organization that has used the least time, whichever was first', async () => {
    const slow = await newOrganization(...many(5, { due: -600 }));
    await newOrganization(...many(4));
    const claims = await readAll((id) => (id === slow.id ? 1_000 : 10));
    const names = claims.map(({ organizationId }) => (organizationId === slow.id ? 'slow' : 'quick'));
    expect(names).toEqual(['slow', ...Array(4).fill('quick'), ...Array(4).fill('slow')]);
  });

  it('belongs to the organization with the fewest claimed files', async () => {
    const first = await newOrganization(...many(3));
    const second = await newOrganization(...many(3));
    await chargeReading(db, { organizationId: second.id, step: 'READ' }, 60_000);
    const claims = [await claimText(db, 'READ'), await claimText(db, 'READ')];
    expect(claims.map((claim) => claim?.organizationId)).toEqual([first.id, second.id]);
  });

  it('is a small one before a large one, then one that yielded, and last one with a failed attempt', async () => {
    const { files } = await newOrganization(
      { attempts: 1, due: -900 },
      { turns: 1, due: -800 },
      { size: 9_000_000, due: -700 },
      {},
      { due: -30 },
    );
    const [retried, yielded, slow, quick, later] = files;
    const order = (await readAll(() => 0)).map(({ id }) => id);
    expect(order).toEqual([quick, later, slow, yielded, retried]);
  });

  it('is not one that is claimed, not yet due, or of an excluded organization', async () => {
    const { id } = await newOrganization({}, { due: 60 });
    const other = await newOrganization({});
    const turn = { except: [other.id] };
    const claims = [await claimText(db, 'READ', turn), await claimText(db, 'READ', turn)];
    expect(claims.map((claim) => claim?.organizationId)).toEqual([id, undefined]);
  });

  it('belongs to each organization in turn if there are more than one claim compares', async () => {
    const organizations = [];
    for (let index = 0; index < 60; index++) organizations.push((await newOrganization({}, {})).id);
    const claims = await readAll(() => 100);
    const first = claims.slice(0, 60).map(({ organizationId }) => organizationId);
    expect(claims).toHaveLength(120);
    expect(new Set(first).size).toBe(60);
  });

  it('is found by an index, without scanning the other files', async () => {
    const { id } = await newOrganization();
    await db.query(sql`INSERT INTO blobs (organization_id, id, sha256, size, content_type, text_next_at)
      SELECT ${id}, 'blb_' || n || ${id}::text, sha256(convert_to(${id}::text || n, 'UTF8')), n, 'text/plain', now() - interval '1 minute'
      FROM generate_series(1, 20000) n`);
    await db.query(sql`ANALYZE blobs`);
    const { reader, lines } = explaining(db, true);
    await claimText(reader, 'READ');
    const scans = lines.filter((line) => / on blobs/.test(line));
    expect(scans.length).toBeGreaterThan(2);
    expect(scans.filter((line) => /Seq Scan|rows=\d{2,}(\.\d+)? loops/.test(line))).toEqual([]);
  });
});

describe('a claim', () => {
  it('that is released counts no attempt, and one that yields comes after files that had no turn', async () => {
    await newOrganization({}, {});
    const first = (await claimText(db, 'READ')) as Claim;
    await releaseText(db, first);
    const repeated = (await claimText(db, 'READ')) as Claim;
    await yieldText(db, repeated);
    const second = (await claimText(db, 'READ')) as Claim;
    const third = (await claimText(db, 'READ')) as Claim;
    expect([first.attempt, repeated.attempt, second.attempt, third.attempt]).toEqual([1, 1, 1, 1]);
    expect(second.id).not.toBe(repeated.id);
    expect(third.id).toBe(repeated.id);
  });

  it('that is passed to recognition is claimed only there', async () => {
    await newOrganization({});
    const claim = (await claimText(db, 'READ')) as Claim;
    await startRecognition(db, claim);
    expect(await claimText(db, 'READ')).toBeUndefined();
    expect(await claimText(db, 'RECOGNIZE')).toMatchObject({ id: claim.id, attempt: 1, step: 'RECOGNIZE' });
  });
});

describe('the readers of a process', () => {
  it('are never all used by one organization, so that another one can start immediately', async () => {
    const { id } = await newOrganization(...many(3, { due: -600 }));
    const lane = new TextLane(2);
    const first = (await lane.claim(db, ['READ'])) as Claim;
    const none = await lane.claim(db, ['READ']);
    const other = await newOrganization({});
    const second = await lane.claim(db, ['READ']);
    await lane.release(db, first, 10);
    const third = await lane.claim(db, ['READ']);
    expect([first, none, second, third].map((claim) => claim?.organizationId)).toEqual([
      id,
      undefined,
      other.id,
      id,
    ]);
  });

  it('obey the limit of an organization in concurrent claims', async () => {
    const { id } = await newOrganization(...many(6));
    const lane = new TextLane(4);
    const claims = await Promise.all(many(4).map(() => lane.claim(db, ['READ'])));
    expect(claims.map((claim) => claim?.organizationId)).toEqual([id, id, id, undefined]);
  });
});
