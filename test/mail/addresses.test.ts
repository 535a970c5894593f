import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendNextMail } from '../../src/jobs/mail.ts';
import { Browser, newApp } from '../support/browser.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { mailService, startMailServer } from '../support/mail/server.ts';
import { newSigningWorld } from '../support/signatures.ts';
import { newWorld } from '../support/world.ts';

const INVITE = `mutation ($input: InviteMembersInput!) { inviteMembers(input: $input) { invitations { email } } }`;
const PASSWORD = 'gravel lantern otter quilt';

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

type World = Pick<Awaited<ReturnType<typeof newWorld>>, 'db'>;

async function mails({ db }: World) {
  const mail = mailService(server.settings);
  while (await sendNextMail({ ...(await jobContext(db)), mail }));
  mail.smtp.close();
  return server.arrived.splice(0);
}

const inviteOf = ({ owner, organization }: Awaited<ReturnType<typeof newWorld>>, email: string) =>
  owner.graph(INVITE, { input: { organizationId: organization.id, members: [{ email, role: 'MEMBER' }] } });

/** As servers without SMTPUTF8 and others write the domain. */
const inAscii = (address = '') => {
  const at = address.lastIndexOf('@');
  return address.slice(0, at + 1) + new URL(`http://${address.slice(at + 1)}`).hostname;
};

describe('an address', () => {
  it.each([
    ['r&d', 'example.org', 'example.org'],
    ['a/b=c', 'example.org', 'example.org'],
    ['percent%40x', 'example.org', 'example.org'],
    ['info', 'bücher.example', 'xn--bcher-kva.example'],
    ['jürgen', 'bücher.example', 'xn--bcher-kva.example'],
  ])('%s@%s is invited, creates an account from its mail, and signs in, in both forms', async (...given) => {
    const [local, domain, ascii] = given as [string, string, string];
    const unique = randomBytes(4).toString('hex') + local;
    const world = await newWorld();
    const { data } = await inviteOf(world, `${unique}@${domain}`);
    expect(data.inviteMembers.invitations).toEqual([{ email: `${unique}@${ascii}` }]);
    const again = await inviteOf(world, `${unique}@${ascii}`.toUpperCase());
    expect(again.errors?.[0]?.extensions.code).toBe('CONFLICT');
    const [arrived] = await mails(world);
    expect(inAscii(arrived?.to[0])).toBe(`${unique}@${ascii}`);
    expect(arrived?.mail.to?.map(({ address }) => inAscii(address))).toEqual([`${unique}@${ascii}`]);
    const path = /\/invitations\/inv_\w+\/[\w-]+/.exec(arrived?.mail.text ?? '')?.[0] ?? '';
    const app = await newApp(world.db);
    const visitor = new Browser(app);
    expect((await visitor.open(path)).text.replaceAll('&amp;', '&')).toContain(`${unique}@${domain}`);
    const accepted = await visitor.post(path, { name: 'New Person', password: PASSWORD });
    expect(accepted.headers.get('location')).toBe('/account');
    for (const email of [`${unique}@${domain}`, `${unique}@${ascii}`, `${unique}@${domain}`.toUpperCase()]) {
      const { status } = await new Browser(app).signIn({ email, password: PASSWORD });
      expect([email, status]).toEqual([email, 303]);
    }
  });

  it('in another form is the member, for filters, tasks and invitations alike', async () => {
    const world = await newWorld();
    const { db, owner, organization, project } = world;
    const local = randomBytes(4).toString('hex');
    await db.prisma.user.update({
      where: { id: owner.id },
      data: { email: `${local}@xn--bcher-kva.example` },
    });
    const email = `${local}@BÜCHER.example`;
    expect((await inviteOf(world, email)).errors?.[0]?.extensions.code).toBe('CONFLICT');
    const list = `query ($id: ID!, $filter: OrganizationMemberFilter) {
      organization(id: $id) { members(filter: $filter) { nodes { user { id } } } } }`;
    for (const filter of [{ emails: [email] }, { emailPrefix: email }, { emailPrefix: `${local}@b` }]) {
      const { data, errors } = await owner.graph(list, { id: organization.id, filter });
      expect(errors).toBeUndefined();
      const found = data.organization.members.nodes.length;
      expect([filter, found]).toEqual([filter, filter.emailPrefix === `${local}@b` ? 0 : 1]);
    }
    const created = await owner.graph(
      `mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { assignee { id } } } }`,
      { input: { projectId: project.id, tasks: [{ name: 'Read', assigneeEmail: email }] } },
    );
    expect(created.data.createTasks.tasks).toEqual([{ assignee: { id: owner.id } }]);
  });

  it('of a signer gets the request to sign, with nothing added to its headers', async () => {
    const world = await newSigningWorld();
    await world.active([
      { name: 'Ann', email: 'r&d@example.org', rank: 1 },
      { name: 'Bob', email: 'info@bücher.example', rank: 1 },
      { name: 'Cid', email: 'jürgen@example.org', rank: 1 },
    ]);
    const arrived = await mails(world);
    const seen = arrived.map(({ to, mail }) => [
      to.map(inAscii),
      mail.to?.map((each) => each.address && inAscii(each.address)),
    ]);
    const expected = ['info@xn--bcher-kva.example', 'jürgen@example.org', 'r&d@example.org'];
    expect(seen.sort()).toEqual(expected.map((each) => [[each], [each]]));
  });

  it('that is none is refused with the reason, by both APIs', async () => {
    const world = await newWorld();
    const { owner, organization } = world;
    const text = 'members.0.email: must be an e-mail address without quotes and comments';
    expect((await inviteOf(world, '"a b"@example.org')).errors?.[0]?.message).toBe(text);
    const body = [{ UserEmail: 'a@[192.0.2.1]', IsAdmin: false, IsReadOnly: false }];
    const answer = await owner.rest('POST', `/organizations/${organization.id}/members`, body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      400,
      expect.stringContaining('not an IP address'),
    ]);
  });
});
