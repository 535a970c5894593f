import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { beforeEach, expect, it } from 'vitest';
import type { ClaimedMail } from '../../src/domain/mails/mail-claim.ts';
import { compose } from '../../src/mail/compose.tsx';
import { TEMPLATES } from '../../src/mail/templates.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { hostileText as text } from '../support/mail/hostile.ts';
import { inspectHtml, linksInText } from '../support/mail/inspect.ts';
import { newSigningWorld } from '../support/signatures.ts';

beforeEach(() => dropJobs());

const HEADERS = [
  ...[
    'auto-submitted',
    'content-type',
    'date',
    'feedback-id',
    'from',
    'message-id',
    'mime-version',
    'references',
  ],
  ...['reply-to', 'subject', 'to', 'x-auto-response-suppress'],
];

it('names, organizations and texts of people add no header, recipient, element or link', {
  timeout: 120_000,
}, async () => {
  const world = await newSigningWorld();
  const { db, owner, organization } = world;
  const { documentId, sessionId } = await world.active([{ name: 'Ann' }], { useCustomMail: true });
  const [signer] = await world.signersOf(sessionId);
  const row = await db.prisma.mail.findFirstOrThrow({ where: { subjectId: signer?.id } });
  const claimed = { ...row, organizationId: organization.id, isExpired: false } as ClaimedMail;
  const job = await jobContext(db);
  const given = fc.record({
    name: text(8),
    organization: text(8),
    document: text(8),
    subject: text(8),
    body: text(30),
  });
  const write = async (names: typeof given extends fc.Arbitrary<infer Names> ? Names : never) => {
    await db.prisma.user.update({ where: { id: owner.id }, data: { name: names.name } });
    await db.prisma.organization.update({
      where: { id: organization.id },
      data: { name: names.organization },
    });
    await db.prisma.document.update({ where: { id: documentId }, data: { name: names.document } });
    const custom = { customSubject: names.subject, customBody: names.body };
    await db.prisma.signatureSession.update({ where: { id: sessionId }, data: custom });
    const letter = await TEMPLATES.SIGNATURE_REQUEST(job, claimed);
    if (!letter) throw new Error('no letter');
    const { id, kind, toEmail: to, createdAt: date } = row;
    return PostalMime.parse(await compose(job.mail.sender, { id, kind, to, date, letter }));
  };
  await fc.assert(
    fc.asyncProperty(given, async (names) => {
      const mail = await write(names);
      expect(mail.headers.map(({ key }) => key).sort()).toEqual(HEADERS);
      expect(mail.to).toEqual([{ name: '', address: 'ann@signers.test' }]);
      expect(mail.replyTo?.map(({ address }) => address)).toEqual([owner.email]);
      expect(mail.subject).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066\u2067]/u);
      const { foreign, links } = inspectHtml(mail.html ?? '');
      expect(foreign).toEqual([]);
      expect(links.filter((link) => !link.startsWith('http://docgraph.test/sign/'))).toEqual([]);
      expect(links).toHaveLength(1);
      expect(linksInText(mail.text)).toEqual(links);
    }),
    { numRuns: 400 },
  );
});
