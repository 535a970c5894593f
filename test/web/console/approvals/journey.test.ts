import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { handlers } from '../../../../src/jobs/handlers.ts';
import { sendNextMail } from '../../../../src/jobs/mail.ts';
import { DAY } from '../../../../src/lib/time.ts';
import { newDatabase } from '../../../support/database.ts';
import { dropJobs, jobContext } from '../../../support/jobs.ts';
import { mailService, startMailServer } from '../../../support/mail/server.ts';
import { passTime } from '../../../support/passed-time.ts';
import { newMember, type Person } from '../../../support/world.ts';
import { newApprovalScene } from './scene.ts';

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

type Arrived = (typeof server.arrived)[number];

/** The path of the page to which a mail leads: its first link. */
const linkIn = ({ mail }: Arrived): string =>
  new URL(/href="([^"]+)"/.exec(String(mail.html))?.[1] as string).pathname;

async function setUp() {
  const world = await newApprovalScene(await newDatabase());
  const { db, organization, as } = world;
  /** Lets days pass, and does all that is due then; returns the mails that arrived, by their recipient. */
  const after = async (days: number): Promise<Map<string, Arrived>> => {
    if (days > 0) await passTime(db, organization.id, days * DAY);
    const job = { ...(await jobContext(db)), mail: mailService(server.settings) };
    for (const work of ['remind', 'notify'] as const) while (await handlers[work](job));
    await passTime(db, organization.id, DAY / 24);
    while (await sendNextMail(job));
    job.mail.smtp.close();
    return new Map(server.arrived.splice(0).map((each) => [each.to[0] as string, each]));
  };
  /** Opens the page to which the mail of a person leads, in their browser. */
  const follow = async (person: Person, mails: Map<string, Arrived>) => {
    const visitor = await as(person);
    const arrived = mails.get(person.email);
    expect(arrived, `a mail to ${person.email}`).toBeDefined();
    const path = (await visitor.open(linkIn(arrived as Arrived))).headers.get('location') as string;
    return { visitor, path, text: (await visitor.open(path)).text };
  };
  return { ...world, after, follow };
}

it('two of three approve, one of them a substitute and one by an escalation: by clicks and by mail', async () => {
  const { db, owner, ann, bob, cyd, organization, as, after, follow, ...world } = await setUp();
  const [dan, eve] = [
    await newMember(db, organization.id, 'MEMBER'),
    await newMember(db, organization.id, 'MEMBER'),
  ];
  const substitute = { do: 'set', toMemberId: await world.membershipOf(dan), endsAt: '2099-01-01' };
  const away = await as(cyd);
  const ownPage = `${world.organizationPath}/people/${await world.membershipOf(cyd)}`;
  expect((await away.submit(`${ownPage}/substitute`, substitute)).status).toBe(303);

  const process = await world.process({
    ...{ name: 'Release', approvers: [ann, bob, cyd], need: 2, excludeRequester: true },
    ...{ dueAfterDays: 3, onOverdue: 'ESCALATE', escalateTo: [eve] },
  });
  const documentId = await world.newDocument();
  const document = `${world.projectPath}/documents/${documentId}`;
  const requester = await as(owner);
  expect((await requester.submit(`${document}/processes`, { processId: process.id })).status).toBe(303);

  const requests = await after(0);
  expect([...requests.keys()].sort()).toEqual([ann.email, bob.email, dan.email].sort());
  const inPlace = await follow(dan, requests);
  expect(inPlace.text).toContain('You decide in place of');
  expect((await inPlace.visitor.submit(inPlace.path, { decision: 'approve' })).status).toBe(303);

  expect([...(await after(1)).keys()]).toEqual([owner.email]);
  const overdue = await after(3);
  expect([...overdue.keys()].sort()).toEqual([owner.email, ann.email, bob.email, eve.email].sort());
  const escalated = await follow(eve, overdue);
  expect((await escalated.visitor.submit(escalated.path, { decision: 'approve' })).status).toBe(303);

  const decided = await after(0);
  expect([...decided.keys()]).toEqual([owner.email]);
  expect((await follow(owner, decided)).text).toContain('Approved');
  const run = await db.prisma.processRun.findFirstOrThrow({ where: { documentId } });
  expect([run.state, run.completedById]).toEqual(['APPROVED', eve.id]);
  const late = await follow(ann, overdue);
  expect((await late.visitor.submit(late.path, { decision: 'deny' })).status).toBe(409);
  const kinds = await db.prisma.event.findMany({
    where: { organizationId: organization.id, kind: { startsWith: 'approval.' } },
    orderBy: { sequence: 'asc' },
  });
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'approval.approved',
    'approval.overdue',
    'approval.escalated',
    'approval.approved',
  ]);
});
