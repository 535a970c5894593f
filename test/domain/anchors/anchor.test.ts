import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/admin/commands.ts';
import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { anchorLogs, announceNextAnchor } from '../../../src/domain/anchors/anchor.ts';
import { loadLogTree, storeTiles } from '../../../src/domain/anchors/log-tree.ts';
import { recordEvents, serverActor } from '../../../src/domain/kernel/audit.ts';
import { eventHash, type HashedEvent } from '../../../src/domain/kernel/record/event-hash.ts';
import { createOrganization } from '../../../src/domain/organizations/organization.ts';
import { timeStamper } from '../../../src/timestamp/authority.ts';
import { newDatabase } from '../../support/database.ts';
import { testStorage } from '../../support/storage.ts';
import { openAuthority, type TestAuthority } from '../../support/time-stamps/authority.ts';
import { openssl } from '../../support/time-stamps/certificates.ts';
import { config, newPerson } from '../../support/world.ts';

let authority: TestAuthority;
let db: Database;

// The logs of all organizations are stamped at once, so each test begins without any.
beforeAll(async () => {
  authority = await openAuthority();
  db = await newDatabase();
});
beforeEach(() => db.query(sql`TRUNCATE log_anchors, log_stamps, log_tiles, events, event_heads`));
afterAll(async () => {
  await authority.close();
  await db.close();
});

const newOrganization = async (): Promise<string> => {
  const owner = await newPerson(db);
  return (await createOrganization(await owner.context(), { name: 'Harbour' })).id;
};

/** Appends so many events in one transaction. */
const addEvents = (organizationId: string, count = 1) =>
  inTransaction(db, (tx) =>
    recordEvents(
      serverActor('test'),
      tx,
      Array.from({ length: count }, (_, index) => ({
        ...{ organizationId, subjectId: organizationId, kind: 'organization.renamed' },
        data: { before: { name: `${index}` }, after: { name: `${index + 1}` } },
      })),
    ),
  );

const anchor = () => anchorLogs(db, timeStamper({ urls: [authority.url], roots: authority.roots }));

/** Stamps the logs, and records all that was stamped. */
async function anchorAndAnnounce(): Promise<number> {
  const count = await anchor();
  while (await announceNextAnchor(db));
  return count;
}

const verify = async (organization?: string): Promise<string> => {
  const site = { db, storage: await testStorage(db), limits: config.limits };
  return COMMANDS.verify?.run(site, organization ? { organization } : {}) as Promise<string>;
};

const anchorsOf = (organizationId: string) =>
  db.prisma.logAnchor.findMany({
    where: { organizationId },
    orderBy: { size: 'asc' },
    include: { stamp: true },
  });

describe('a time-stamp', () => {
  it('is one for the logs of all organizations', async () => {
    const [first, second] = [await newOrganization(), await newOrganization()];
    const before = authority.requests.length;
    expect(await anchorAndAnnounce()).toBe(2);
    expect(authority.requests).toHaveLength(before + 1);
    const [[one], [other]] = [await anchorsOf(first), await anchorsOf(second)];
    expect(one?.digest).toEqual(other?.digest);
    expect(one?.stamp).toMatchObject({ size: 2, authority: 'O=Harbour, CN=Clock' });
  });

  it('is accepted by openssl for the stored digest', async () => {
    const organization = await newOrganization();
    await anchor();
    const [{ digest, stamp } = { digest: Buffer.alloc(0), stamp: undefined }] = await anchorsOf(organization);
    writeFileSync(join(authority.folder, 'token.der'), stamp?.token as Uint8Array);
    const hex = Buffer.from(digest).toString('hex');
    const command = `ts -verify -digest ${hex} -in token.der -token_in -CAfile root.pem`;
    expect(openssl(authority.folder, command).toString()).toContain('Verification: OK');
  });

  it('is recorded as an event, which is not a reason for another one', async () => {
    const organization = await newOrganization();
    await anchorAndAnnounce();
    const [anchored] = await anchorsOf(organization);
    const event = await db.prisma.event.findFirstOrThrow({ where: { kind: 'log.anchored' } });
    expect(event.sequence).toBe(anchored?.eventSequence);
    expect(event.data).toEqual({
      after: {
        ...{ anchorId: anchored?.id, size: 2, authority: 'O=Harbour, CN=Clock' },
        root: Buffer.from(anchored?.root as Uint8Array).toString('hex'),
        digest: Buffer.from(anchored?.digest as Uint8Array).toString('hex'),
        stampedAt: anchored?.stamp.stampedAt.toISOString(),
      },
    });
    expect(await anchorAndAnnounce()).toBe(0);
    await addEvents(organization);
    expect(await anchorAndAnnounce()).toBe(1);
    expect((await anchorsOf(organization)).map(({ size }) => size)).toEqual([2n, 4n]);
  });

  it('covers events that were added before it was recorded the next time', async () => {
    const organization = await newOrganization();
    await anchor();
    await addEvents(organization);
    await announceNextAnchor(db);
    expect(await anchorAndAnnounce()).toBe(1);
  });

  it('changes nothing where no authority answers', async () => {
    await newOrganization();
    const refused = anchorLogs(db, timeStamper({ urls: ['http://127.0.0.1:9/'], roots: [] }));
    await expect(refused).rejects.toThrow(/No time-stamp was given. 127.0.0.1:9/);
    expect(await db.prisma.logAnchor.count()).toBe(0);
  });
});

describe('verify', () => {
  it('says up to which event a log is stamped, when and by whom', async () => {
    const organization = await newOrganization();
    await addEvents(organization, 600);
    await anchorAndAnnounce();
    await addEvents(organization, 200);
    await anchorAndAnnounce();
    const [, { stamp, size } = { stamp: undefined, size: 0n }] = await anchorsOf(organization);
    expect(await verify(organization)).toBe(
      `${organization}: 804 events, all in order, the first ${size} time-stamped on ${stamp?.stampedAt.toISOString()} by O=Harbour, CN=Clock\n2 time-stamps, all valid`,
    );
  });

  /** Writes an event anew, with all hashes after it and the head: what who owns the database can do. */
  async function rewrite(organizationId: string, sequence: bigint): Promise<void> {
    const rows = await db.prisma.event.findMany({ where: { organizationId }, orderBy: { sequence: 'asc' } });
    let hash = new Uint8Array();
    for (const { hash: _, ...row } of rows) {
      const changed = row.sequence === sequence ? { ...row, data: { after: { name: 'Forged' } } } : row;
      hash = eventHash(hash, changed as HashedEvent) as typeof hash;
      const where = { organizationId_sequence: { organizationId, sequence: row.sequence } };
      await db.prisma.event.update({ where, data: { hash, data: changed.data as object } });
    }
    await db.prisma.eventHead.update({ where: { organizationId }, data: { hash } });
  }

  it('does not find a log that was written anew whole, without a time-stamp', async () => {
    const organization = await newOrganization();
    await addEvents(organization, 3);
    await rewrite(organization, 2n);
    expect(await verify(organization)).toContain('5 events, all in order');
  });

  const faults: [string, (organizationId: string) => Promise<unknown>, RegExp][] = [
    [
      'a log that was written anew whole',
      (organizationId) => rewrite(organizationId, 2n),
      /events up to 302 are not those that were stamped on/,
    ],
    [
      'a log that was written anew, with the root of its anchor',
      async (organizationId) => {
        await rewrite(organizationId, 300n);
        await db.query(sql`DELETE FROM log_tiles`);
        await storeTiles(db, organizationId, 302);
        const root = (await loadLogTree(db, organizationId, 302))(0, 302);
        await db.query(sql`UPDATE log_anchors SET root = ${root}`);
      },
      /What is stored of the time-stamp of .* is not what was stamped/,
    ],
    [
      'another salt of an anchor',
      (organizationId) =>
        db.query(sql`UPDATE log_anchors SET salt = '\\x00' WHERE organization_id = ${organizationId}`),
      /is not what was stamped/,
    ],
    [
      'another token',
      () =>
        db.query(
          sql`UPDATE log_stamps SET token = set_byte(token, length(token) - 20, get_byte(token, length(token) - 20) # 1)`,
        ),
      /The time-stamp of .* (was not signed with the key|cannot be read)/,
    ],
    [
      'another time of a time-stamp',
      () => db.query(sql`UPDATE log_stamps SET stamped_at = stamped_at - interval '1 day'`),
      /The time-stamp of .* has another time/,
    ],
    [
      'a time-stamp that is not stored any more',
      () => db.query(sql`DELETE FROM log_anchors`),
      /Event 303 is of a time-stamp that is not stored any more/,
    ],
    [
      'a log whose end was cut off',
      async (organizationId) => {
        await db.query(sql`DELETE FROM events WHERE organization_id = ${organizationId} AND sequence > 299`);
        await db.query(sql`UPDATE event_heads h SET sequence = e.sequence, hash = e.hash FROM events e
          WHERE e.organization_id = h.organization_id AND e.sequence = 299`);
      },
      /Event 300 is missing: 302 were stamped on/,
    ],
    [
      'another stored hash of 256 events',
      () => db.query(sql`UPDATE log_tiles SET hash = sha256('forged')`),
      /The stored hash of the events 1 to 256 \(log_tiles\) is another one/,
    ],
  ];

  it.each(faults)('finds %s', async (_, forge, finding) => {
    const organization = await newOrganization();
    await addEvents(organization, 300);
    await anchorAndAnnounce();
    expect(await verify(organization)).toContain('all in order');
    await forge(organization);
    await expect(verify(organization)).rejects.toThrow(finding);
  });
});
