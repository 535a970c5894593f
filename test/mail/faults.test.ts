import { beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import type { MailKind } from '../../src/domain/mails/mail-kind.ts';
import { queueMails } from '../../src/domain/mails/queue-mail.ts';
import { inviteMembers } from '../../src/domain/membership/invitation-create.ts';
import { sendNextMail } from '../../src/jobs/mail.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { testDatabase } from '../support/database.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { type Fault, type Stage, startFaultServer } from '../support/mail/fault-server.ts';
import { mailService } from '../support/mail/server.ts';
import { newPerson, newWorld } from '../support/world.ts';

beforeEach(() => dropJobs());

/** Queues a mail about an account, of a kind that is not sent again when it may have arrived. */
async function queueOne(): Promise<string> {
  const db = await testDatabase();
  const person = await newPerson(db);
  const kind: MailKind = 'PASSWORD_CHANGED';
  const mail = {
    kind,
    organizationId: null,
    to: person.email,
    toUserId: person.id,
    data: { kind: 'password.changed' },
  };
  await inTransaction(db, (tx) => queueMails(tx, [mail]));
  return (await db.prisma.mail.findFirstOrThrow({ where: { toUserId: person.id } })).id;
}

/** Tries the mail once at a server that fails there. `waits`: the minutes until the next attempt, null without one. */
async function attempt(stage: Stage, fault: Fault, mailId: string) {
  const db = await testDatabase();
  const server = await startFaultServer(stage, fault);
  const mail = mailService(server.settings);
  const before = Date.now();
  await sendNextMail({ ...(await jobContext(db)), mail });
  const { isPaused } = mail.smtp;
  mail.smtp.close();
  await server.stop();
  const { state, attempts, nextAt, uncertainAt } = await db.prisma.mail.findUniqueOrThrow({
    where: { id: mailId },
  });
  const earliest = nextAt && (nextAt.getTime() - Date.now()) / MINUTE;
  const latest = nextAt && (nextAt.getTime() - before) / MINUTE;
  return {
    state,
    attempts,
    earliest,
    latest,
    isUncertain: uncertainAt !== null,
    isPaused,
    seen: server.seen,
  };
}

type Outcome = 'WAITING' | 'REFUSED' | 'UNCERTAIN' | 'SENT';

const BROKEN: Fault[] = ['DROP', 'RESET', 'HANG'];
const ALL: Fault[] = [...BROKEN, 451, 554, 421];

const cells = (stage: Stage, faults: Fault[], outcome: Outcome, pauses: boolean) =>
  faults.map((fault): [Stage, Fault, Outcome, boolean] => [stage, fault, outcome, pauses]);

/** What becomes of the mail, and whether the fault concerns the server, so that all mails wait. */
const TABLE = [
  ...cells('GREETING', ALL, 'WAITING', true),
  ...cells('EHLO', ALL, 'WAITING', true),
  ...cells('STARTTLS', ALL, 'WAITING', true),
  ...cells('STRIPPED', ['REFUSE'], 'WAITING', true),
  ...cells('TLS', [...BROKEN, 'CERTIFICATE'], 'WAITING', true),
  ...cells('AUTH', ALL, 'WAITING', true),
  ...cells('MAIL', ALL, 'WAITING', true),
  ...cells('RCPT', [...BROKEN, 421], 'WAITING', true),
  ...cells('RCPT', [451], 'WAITING', false),
  ...cells('RCPT', [554], 'REFUSED', false),
  ...cells('DATA', [...BROKEN, 421], 'WAITING', true),
  ...cells('DATA', [451], 'WAITING', false),
  ...cells('DATA', [554], 'REFUSED', false),
  ...cells('BODY', BROKEN, 'UNCERTAIN', false),
  ...cells('BODY', [451], 'WAITING', false),
  ...cells('BODY', [554], 'REFUSED', false),
  ...cells('BODY', [421], 'WAITING', true),
  ...cells('DOT', BROKEN, 'UNCERTAIN', false),
  ...cells('DOT', [451], 'WAITING', false),
  ...cells('DOT', [554], 'REFUSED', false),
  ...cells('DOT', [421], 'WAITING', true),
  ...cells('ACCEPTED', ALL, 'SENT', false),
];

describe('a mail server that fails', () => {
  it.each(TABLE)('at %s by %s leaves the mail %s', async (stage, fault, outcome, pauses) => {
    const result = await attempt(stage, fault, await queueOne());
    expect(result).toMatchObject({ state: outcome, attempts: 1, isUncertain: outcome === 'UNCERTAIN' });
    expect(result.isPaused).toBe(pauses);
    expect(result.seen.passwordsInClear).toBe(0);
    if (outcome === 'WAITING') {
      expect(result.earliest).toBeLessThanOrEqual(1.1);
      expect(result.latest).toBeGreaterThanOrEqual(0.9);
    } else expect(result.earliest).toBeNull();
  });

  it('has at least 50 places to fail', () => {
    expect(TABLE.length).toBeGreaterThanOrEqual(50);
  });
});

describe('a mail that a person waits for', () => {
  it.each<[Stage, Fault]>([
    ['BODY', 'DROP'],
    ['DOT', 'RESET'],
  ])('is sent once more after five minutes if the server fails at %s by %s, and is uncertain after that', async (...at) => {
    const { db, owner, organization } = await newWorld();
    await inviteMembers(await owner.context(), {
      organizationId: organization.id,
      members: [{ email: 'new.person@example.test', role: 'MEMBER' }],
    });
    const { id } = await db.prisma.mail.findFirstOrThrow({ where: { organizationId: organization.id } });
    const first = await attempt(...at, id);
    expect(first).toMatchObject({ state: 'WAITING', attempts: 1, isUncertain: true });
    expect(Math.round(first.latest ?? 0)).toBe(5);
    await db.prisma.mail.update({ where: { id }, data: { nextAt: new Date(0) } });
    expect(await attempt(...at, id)).toMatchObject({ state: 'UNCERTAIN', attempts: 2, earliest: null });
  });
});
