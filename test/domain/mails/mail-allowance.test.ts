import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { limitAtAge } from '../../../src/domain/mails/mail-admission.ts';
import { withdrawInvitations } from '../../../src/domain/membership/invitation-change.ts';
import { inviteMembers } from '../../../src/domain/membership/invitation-create.ts';
import { createOrganization } from '../../../src/domain/organizations/organization.ts';
import { sendNextMail } from '../../../src/jobs/mail.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { mailService, startMailServer } from '../../support/mail/server.ts';
import { newSigningWorld } from '../../support/signatures.ts';
import { config, newMember, newPerson, newWorld, type Person } from '../../support/world.ts';

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

/** Hands over all that the limits let through now, by so many processes at once; gives to whom. */
async function send(limits = {}, processes = 1): Promise<string[]> {
  const ctx = await jobContext();
  const mail = mailService(server.settings);
  const job = { ...ctx, mail, limits: { ...config.limits, ...limits } };
  await ctx.db.prisma.mail.updateMany({ where: { state: 'WAITING' }, data: { nextAt: new Date(0) } });
  const run = async () => {
    while (await sendNextMail(job));
  };
  await Promise.all(Array.from({ length: processes }, run));
  mail.smtp.close();
  return server.arrived.splice(0).map(({ to }) => to[0] ?? '');
}

const anHourLater = async () =>
  (await jobContext()).db.query(sql`UPDATE mails SET admitted_at = admitted_at - interval '1 hour'`);

const daysLater = async ({ id }: Person, days: number) => {
  const { db } = await jobContext();
  await db.query(
    sql`UPDATE organizations SET created_at = created_at - ${days} * interval '1 day' WHERE created_by_id = ${id}`,
  );
  await db.query(sql`UPDATE users SET created_at = created_at - ${days} * interval '1 day' WHERE id = ${id}`);
};

const invite = async (person: Person, organizationId: string, emails: readonly string[]) =>
  inviteMembers(await person.context(), {
    organizationId,
    members: emails.map((email) => ({ email, role: 'MEMBER' as const })),
  });

const addresses = (count: number, name = 'office'): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.test`);

/** Somebody else with an organization of their own. */
async function newOffice() {
  const { db, owner, organization } = await newWorld();
  const { email } = await newPerson(db);
  return { db, owner, organizationId: organization.id, email };
}

describe('the hourly limits of mails', () => {
  it('do not count invitations that were withdrawn before they were handed over', async () => {
    const office = await newOffice();
    const { owner: stranger, organization } = await newWorld();
    for (let times = 0; times < 25; times++) {
      const {
        invitations: [invitation],
      } = await invite(stranger, organization.id, [office.email]);
      const ids = { organizationId: organization.id, invitationIds: [invitation?.id as string] };
      await withdrawInvitations(await stranger.context(), ids);
    }
    expect(await send()).toEqual([]);
    await invite(office.owner, office.organizationId, [office.email]);
    expect(await send()).toEqual([office.email]);
  });

  it('leave one person half of the limit of a mailbox, in all of their organizations and whatever tags its address has', async () => {
    const office = await newOffice();
    const { owner: stranger, organization } = await newWorld();
    const tagged = addresses(20).map((_, index) => office.email.replace('@', `+${index}@`));
    await invite(stranger, organization.id, tagged);
    for (let index = 0; index < 3; index++) {
      const { id } = await createOrganization(await stranger.context(), { name: `Further ${index}` });
      await invite(stranger, id, tagged);
    }
    expect(await send()).toHaveLength(10);
    await invite(office.owner, office.organizationId, [office.email]);
    expect(await send()).toEqual([office.email]);
  });

  it('leave one organization half of the limit of a mailbox, whoever of it causes the mails', async () => {
    const office = await newOffice();
    const { db, owner, organization } = await newWorld();
    for (const person of [owner, await newMember(db, organization.id, 'ADMIN')]) {
      const tagged = addresses(8).map((_, index) => office.email.replace('@', `+${person.id}${index}@`));
      await invite(person, organization.id, tagged);
    }
    expect(await send()).toHaveLength(10);
    await invite(office.owner, office.organizationId, [office.email]);
    expect(await send()).toEqual([office.email]);
  });

  it('let a request to sign through where invitations have used up the limit of the mailbox', async () => {
    const limits = { mailsToAddress: 2 };
    const { active } = await newSigningWorld();
    const offices = [await newOffice(), await newOffice(), await newOffice()];
    const email = offices[0]?.email as string;
    for (const { owner, organizationId } of offices) await invite(owner, organizationId, [email]);
    expect(await send(limits)).toHaveLength(2);
    await active([{ name: 'Ann', email }]);
    expect(await send(limits)).toEqual([email]);
  });

  it('count what one person causes in all of their organizations', async () => {
    const { owner, organizationId } = await newOffice();
    const limits = { mailsOfPerson: 6, mailsAtStart: 100 };
    const { id } = await createOrganization(await owner.context(), { name: 'Further' });
    await invite(owner, organizationId, addresses(5));
    await invite(owner, id, addresses(5, 'further'));
    expect(await send(limits)).toHaveLength(6);
    await anHourLater();
    expect(await send(limits)).toHaveLength(4);
  });

  it('hold however many processes hand over mails at once', async () => {
    const { owner, organizationId } = await newOffice();
    const { id } = await createOrganization(await owner.context(), { name: 'Further' });
    await invite(owner, organizationId, addresses(20));
    await invite(owner, id, addresses(20, 'further'));
    expect(await send({ mailsOfPerson: 7, mailsAtStart: 100 }, 8)).toHaveLength(7);
  });

  it('begin with a part for a new organization and a new account, which doubles each day', async () => {
    const { owner, organizationId } = await newOffice();
    const limits = { mailsOfPerson: 40, mailsOfOrganization: 40 };
    await invite(owner, organizationId, addresses(50));
    expect(await send(limits)).toHaveLength(4);
    await daysLater(owner, 2);
    expect(await send(limits)).toHaveLength(12);
    await daysLater(owner, 30);
    await anHourLater();
    expect(await send(limits)).toHaveLength(34);
    expect([0, 0.9, 1, 3.5, 5_000].map((days) => limitAtAge(400, 10, days))).toEqual([40, 40, 80, 320, 400]);
  });

  it('let the hundred invitations of a first day through within three hours', async () => {
    const { owner, organizationId } = await newOffice();
    await invite(owner, organizationId, addresses(100));
    let arrived = 0;
    for (let hours = 0; hours < 3; hours++) {
      arrived += (await send()).length;
      await anHourLater();
    }
    expect(arrived).toBe(100);
  });
});
