import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';
import type { MailKind } from '../../src/domain/mails/mail-kind.ts';
import { dropJobs } from '../support/jobs.ts';
import { headerOf, inspectHtml, linksInText } from '../support/mail/inspect.ts';
import { CAUSES, newMailWorld, sendKind } from '../support/mail/kinds.ts';
import { startMailServer } from '../support/mail/server.ts';
import { testApp } from '../support/world.ts';

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

/** The kinds that people may switch off (RFC 8058). */
const OPTIONAL: readonly MailKind[] = ['NOTIFICATION', 'DIGEST', 'SIGNATURE_REMINDER'];

const HOST = 'http://docgraph.test/';

/** All rows of all tables, as one number each. */
async function allRows(db: Database): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const [row] = await db.query<{ hash: string | null }>(
      sql`SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) AS hash FROM ${sql.raw(`"${name}"`)} t`,
    );
    rows.push(`${name} ${row?.hash}`);
  }
  return rows;
}

describe.each(Object.keys(CAUSES) as MailKind[])('a mail of the kind %s', (kind) => {
  it('has both parts, our headers, links to us alone, and nothing that loads or runs', async () => {
    const world = await newMailWorld();
    await CAUSES[kind](world);
    const arrived = await sendKind(world, kind, server);
    expect(arrived.length).toBeGreaterThan(0);
    for (const { to, raw, mail } of arrived) {
      expect(to).toHaveLength(1);
      expect(raw.length).toBeLessThanOrEqual(100_000);
      expect(mail.to?.map(({ address }) => address)).toEqual(to);
      expect([mail.bcc, mail.cc, mail.attachments]).toEqual([undefined, undefined, []]);
      expect(headerOf(mail, 'auto-submitted')).toBe('auto-generated');
      expect(headerOf(mail, 'x-auto-response-suppress')).toBe('All');
      const optional = OPTIONAL.includes(kind);
      expect(headerOf(mail, 'list-unsubscribe-post')).toBe(
        optional ? 'List-Unsubscribe=One-Click' : undefined,
      );
      const stop = headerOf(mail, 'list-unsubscribe')?.slice(1, -1);
      const { foreign, links, loads } = inspectHtml(mail.html ?? '');
      expect([foreign, loads]).toEqual([[], []]);
      expect(links.filter((link) => !link.startsWith(HOST))).toEqual([]);
      expect(links.filter((link) => link !== stop).length).toBeLessThanOrEqual(1);
      expect(stop === undefined || links.includes(stop)).toBe(true);
      expect([...new Set(linksInText(mail.text))].sort()).toEqual([...new Set(links)].sort());
      expect(linksInText(mail.subject)).toEqual([]);
    }
  });

  it('has links that change nothing when programs open them', async () => {
    const world = await newMailWorld();
    await CAUSES[kind](world);
    const arrived = await sendKind(world, kind, server);
    const app = await testApp(world.db);
    const links = new Set(arrived.flatMap(({ mail }) => inspectHtml(mail.html ?? '').links));
    const before = await allRows(world.db);
    for (const link of links)
      for (let turn = 0; turn < 10; turn++)
        for (const method of ['GET', 'HEAD'])
          expect((await app.request(link.slice(HOST.length - 1), { method })).status).toBeLessThan(400);
    expect(await allRows(world.db)).toEqual(before);
  });
});
