import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import type { ClaimedMail } from '../../src/domain/mails/mail-claim.ts';
import type { MailKind } from '../../src/domain/mails/mail-kind.ts';
import { compose } from '../../src/mail/compose.tsx';
import { TEMPLATES } from '../../src/mail/templates.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { hostileText } from '../support/mail/hostile.ts';
import { inspectHtml, linksInText } from '../support/mail/inspect.ts';
import { CAUSES, newMailWorld } from '../support/mail/kinds.ts';

beforeEach(() => dropJobs());

const ALWAYS = [
  ...['auto-submitted', 'content-type', 'date', 'feedback-id', 'from', 'message-id', 'mime-version'],
  ...['subject', 'to', 'x-auto-response-suppress'],
];
const SOMETIMES = new Set(['references', 'reply-to', 'list-unsubscribe', 'list-unsubscribe-post']);

/** Longer than any name or text that is shown. */
const long = fc
  .constantFrom('a', '\u202e', 'evil.test ', '<b>', '\r\n', '😀')
  .map((piece) => piece.repeat(5_000));

const given = fc.record({
  person: fc.oneof(hostileText(8), long),
  organization: fc.oneof(hostileText(8), long),
  item: fc.oneof(hostileText(8), long),
  text: fc.oneof(hostileText(30), long),
});

type Hostile = typeof given extends fc.Arbitrary<infer Names> ? Names : never;
type World = Awaited<ReturnType<typeof newMailWorld>>;

/** Stores the texts wherever a mail may read one that people write. */
async function store({ db, organization }: World, { person, organization: name, item, text }: Hostile) {
  const id = organization.id;
  await db.prisma.organization.update({ where: { id }, data: { name } });
  for (const statement of [
    sql`UPDATE users SET name = ${person} WHERE id IN (SELECT m.user_id FROM memberships m WHERE m.organization_id = ${id})`,
    sql`UPDATE documents SET name = ${item} WHERE organization_id = ${id}`,
    sql`UPDATE tasks SET name = ${item} WHERE organization_id = ${id}`,
    sql`UPDATE projects SET name = ${item} WHERE organization_id = ${id}`,
    sql`UPDATE signature_recipients SET full_name = ${person}, declined_reason = ${text} WHERE organization_id = ${id}`,
    sql`UPDATE signature_sessions SET use_custom_mail = true, custom_subject = ${text}, custom_body = ${text}
      WHERE organization_id = ${id}`,
  ])
    await db.query(statement);
}

/** What the queued mail has of people, such as the program of a sign-in and the name of a passkey. */
const dataOf = (data: object, { person, item }: Hostile): object => ({
  ...data,
  ...('program' in data && { program: person }),
  ...('left' in data && { name: item }),
});

describe.each(Object.keys(CAUSES) as MailKind[])('a mail of the kind %s', (kind) => {
  it('has no header, recipient, element or link that names and texts of people add', {
    timeout: 120_000,
  }, async () => {
    const world = await newMailWorld();
    const { db } = world;
    await CAUSES[kind](world);
    const row = await db.prisma.mail.findFirstOrThrow({ where: { kind }, orderBy: { id: 'desc' } });
    const job = await jobContext(db);
    await fc.assert(
      fc.asyncProperty(given, async (hostile) => {
        await store(world, hostile);
        const data = dataOf(row.data as object, hostile);
        const claimed = { ...row, data, organizationId: row.organizationId ?? '', isExpired: false };
        const letter = await TEMPLATES[kind](job, claimed as ClaimedMail);
        if (!letter) throw new Error('no letter');
        const { id, toEmail: to, createdAt: date } = row;
        const raw = await compose(job.mail.sender, { id, kind, to, date, letter });
        expect(raw.length).toBeLessThanOrEqual(100_000);
        const mail = await PostalMime.parse(raw);
        const keys = mail.headers.map(({ key }) => key);
        expect(keys.filter((key) => !SOMETIMES.has(key)).sort()).toEqual(ALWAYS);
        expect(new Set(keys).size).toBe(keys.length);
        expect([mail.to, mail.cc, mail.bcc]).toEqual([[{ name: '', address: to }], undefined, undefined]);
        expect(mail.subject).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066\u2067]/u);
        expect((mail.subject ?? '').length).toBeLessThan(400);
        expect(linksInText(mail.subject)).toEqual([]);
        const { foreign, loads, links } = inspectHtml(mail.html ?? '');
        expect([foreign, loads]).toEqual([[], []]);
        expect(links.filter((link) => !link.startsWith('http://docgraph.test/'))).toEqual([]);
        expect([...new Set(linksInText(mail.text))].sort()).toEqual([...new Set(links)].sort());
      }),
      { numRuns: 60 },
    );
  });
});
