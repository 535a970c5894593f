import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { removeMembers, updateMember } from '../../../src/domain/membership/member-change.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import { createApiKeys, deleteApiKeys } from '../../../src/domain/oauth/api-key.ts';
import { decideApplication } from '../../../src/domain/oauth/application-change.ts';
import { revokeAuthorization } from '../../../src/domain/oauth/grant.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { deleteProjects } from '../../../src/domain/projects/project-delete.ts';
import { deleteClients } from '../../../src/domain/service-accounts/client-deletion.ts';
import { dropJobs } from '../../support/jobs.ts';
import { appOn, ask, browser, newClient, post, signedIn, VERIFIER } from '../../support/oauth.ts';
import { newMember, type Person } from '../../support/world.ts';
import { addDocuments, copyNext, copyRest, newSource } from './copy-source.ts';

beforeEach(dropJobs);

const REVOKED =
  'Whoever started the copy may not create projects any more, or revoked the credential that did.';

/** A large source, and an admin of its organization who starts copies of it through REST v1. */
async function newCopier() {
  const source = await newSource();
  await addDocuments(source, 600);
  const { db, organization, project } = source;
  const admin = await newMember(db, organization.id, 'ADMIN');
  const path = `/organizations/${organization.id}/projects`;
  async function start(person: Person) {
    const input = { Name: 'Copy', SourceID: project.id, SourceContentCopy: true };
    const { body } = await person.rest('POST', path, [input]);
    expect(body[0]).toMatchObject({ Disabled: true, SourceCopyState: 'Running', SourceCopyError: '' });
    return body[0].ID as string;
  }
  /** The project as another admin reads it, and how much of the source's content it has. */
  async function stateOf(id: string) {
    const { body } = await source.owner.rest('GET', `${path}/${id}`);
    const documents = await db.prisma.document.count({ where: { projectId: id } });
    const tasks = await db.prisma.task.count({ where: { projectId: id } });
    return {
      state: body.SourceCopyState,
      error: body.SourceCopyError,
      disabled: body.Disabled,
      documents,
      tasks,
    };
  }
  return { ...source, admin, start, stateOf };
}

type Copier = Awaited<ReturnType<typeof newCopier>>;

/** The admin through an application that they granted read and write. */
async function throughApplication({ db, owner, organization, admin }: Copier) {
  const app = await appOn(db);
  const client = await newClient(owner, organization.id);
  const code = await browser(app, await signedIn(db, admin.id)).code(ask(client));
  const { body } = await post(app, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: VERIFIER,
    client_id: client.id,
    client_secret: client.secret,
  });
  return { client, person: await admin.with(body.access_token as string) };
}

const membershipOf = ({ db, admin }: Copier) =>
  db.prisma.membership.findFirstOrThrow({ where: { userId: admin.id } });

/** Everything that ends the right to copy: how the copy is started, and what happens after its first documents. */
const REVOCATIONS: [
  string,
  (copier: Copier) => Promise<{ person: Person; revoke: () => Promise<unknown> }>,
][] = [
  [
    'the organization does not allow the application that started it',
    async (copier) => {
      const { client, person } = await throughApplication(copier);
      const { db, organization, stranger } = copier;
      const { organizationId } = await db.prisma.membership.findFirstOrThrow({
        where: { userId: stranger.id },
      });
      await db.prisma.client.update({ where: { id: client.id }, data: { organizationId } });
      const path = { organizationId: organization.id, clientId: client.id };
      return {
        person,
        revoke: async () => decideApplication(await copier.owner.context(), { ...path, decision: 'REFUSED' }),
      };
    },
  ],
  [
    'the grant of the application that started it is revoked',
    async (copier) => {
      const { client, person } = await throughApplication(copier);
      const clientId = client.id;
      return { person, revoke: async () => revokeAuthorization(await copier.admin.context(), { clientId }) };
    },
  ],
  [
    'the application that started it is deleted',
    async (copier) => {
      const { client, person } = await throughApplication(copier);
      const clientIds = [client.id];
      return { person, revoke: async () => deleteClients(await copier.owner.context(), { clientIds }) };
    },
  ],
  [
    'the API key that started it is deleted',
    async (copier) => {
      const ctx = await copier.admin.context();
      const [created] = await createApiKeys(ctx, {
        keys: [{ name: 'copies', scopes: ['read', 'write'] }],
      });
      if (!created) throw new Error('no key');
      const apiKeyIds = [created.key.id];
      return {
        person: await copier.admin.with(created.secret),
        revoke: () => deleteApiKeys(ctx, { apiKeyIds }),
      };
    },
  ],
  [
    'its creator becomes a member without rights to create projects',
    async (copier) => ({
      person: copier.admin,
      revoke: async () =>
        updateMember(await copier.owner.context(), {
          organizationId: copier.organization.id,
          memberId: (await membershipOf(copier)).id,
          role: 'MEMBER',
        }),
    }),
  ],
  [
    'its creator is removed from the organization',
    async (copier) => ({
      person: copier.admin,
      revoke: async () =>
        removeMembers(await copier.owner.context(), {
          organizationId: copier.organization.id,
          memberIds: [(await membershipOf(copier)).id],
        }),
    }),
  ],
  [
    'its creator is disabled',
    async (copier) => ({
      person: copier.admin,
      revoke: () =>
        copier.db.prisma.user.update({ where: { id: copier.admin.id }, data: { disabledAt: new Date() } }),
    }),
  ],
  [
    'its creator lacks a second factor that the organization now requires, also of the API key',
    async (copier) => ({
      person: copier.admin,
      revoke: async () => {
        const { db, organization, admin } = copier;
        await db.prisma.apiKey.updateMany({ where: { userId: admin.id }, data: { secondFactor: false } });
        const data = { requiresSecondFactor: true };
        await db.prisma.organization.update({ where: { id: organization.id }, data });
      },
    }),
  ],
];

describe('a copy that runs', () => {
  it.each(REVOCATIONS)('copies nothing further once %s', async (_, prepare) => {
    const copier = await newCopier();
    const { person, revoke } = await prepare(copier);
    const id = await copier.start(person);
    await copyNext();
    await copyNext();
    await revoke();
    await copyRest();
    const { db, organization } = copier;
    await db.prisma.organization.update({
      where: { id: organization.id },
      data: { requiresSecondFactor: false },
    });
    expect(await copier.stateOf(id)).toEqual({
      state: 'Failed',
      error: REVOKED,
      disabled: true,
      documents: 500,
      tasks: 0,
    });
    expect(await db.prisma.event.count({ where: { subjectId: id, kind: 'project.copyFailed' } })).toBe(1);
    expect(await db.prisma.projectCopyItem.count({ where: { projectId: id } })).toBe(0);
  });

  it('says that its source was deleted', async () => {
    const copier = await newCopier();
    const id = await copier.start(copier.admin);
    await copyNext();
    const selection = { organizationId: copier.organization.id, projectIds: [copier.project.id] };
    await deleteProjects(await copier.owner.context(), selection);
    await copyRest();
    expect(await copier.stateOf(id)).toMatchObject({
      state: 'Failed',
      error: 'The source project was deleted.',
      disabled: true,
      documents: 0,
    });
  });

  it('goes on after a sign-out and after the end of an API key, which take no right away', async () => {
    const copier = await newCopier();
    const { db, admin } = copier;
    const id = await copier.start(admin);
    await copyNext();
    await db.prisma.apiKey.updateMany({ where: { userId: admin.id }, data: { expiresAt: new Date(0) } });
    await copyRest();
    expect(await copier.stateOf(id)).toMatchObject({
      state: 'Completed',
      error: '',
      disabled: false,
      tasks: 2,
    });
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'lets a revocation wait for the batch that is being copied',
    async () => {
      const copier = await newCopier();
      const { client, person } = await throughApplication(copier);
      const id = await copier.start(person);
      await copyNext();
      const documents = () => copier.db.prisma.document.count({ where: { projectId: id } });
      const before = await documents();
      const revoke = async () => revokeAuthorization(await copier.admin.context(), { clientId: client.id });
      const [, whenRevoked] = await Promise.all([
        copyNext(),
        waitForLock(copier).then(revoke).then(documents),
      ]);
      expect(whenRevoked).toBeGreaterThan(before);
      await copyRest();
      expect(await documents()).toBe(whenRevoked);
      expect(await copier.stateOf(id)).toMatchObject({ state: 'Failed', documents: 500 });
    },
  );
});

/** Resolves once a batch inserts documents: after it has locked the grant. Other databases have tables with the same oids. */
async function waitForLock({ db }: Copier) {
  const inserting = sql`SELECT 1 FROM pg_locks WHERE relation = 'documents'::regclass AND mode = 'RowExclusiveLock'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  while ((await db.query(inserting)).length === 0);
}

describe('the copy of a restricted project', () => {
  it('is restricted as well, unless the request says otherwise', async () => {
    const { db, ctx, organization, project } = await newSource();
    await updateProject(ctx, { projectId: project.id, access: 'RESTRICTED' });
    const source = { projectId: project.id, copyContent: true };
    const projects = await createProjects(ctx, {
      organizationId: organization.id,
      projects: [{ name: 'As it is', source }, { name: 'Opened', source, access: 'OPEN' }, { name: 'New' }],
    });
    expect(projects.map(({ access }) => access)).toEqual(['RESTRICTED', 'OPEN', 'OPEN']);
    const member = await newMember(db, organization.id, 'MEMBER');
    const { body } = await member.rest('GET', `/organizations/${organization.id}/projects?getAll=true`);
    expect(body.Projects.map(({ Name }: { Name: string }) => Name).sort()).toEqual(['New', 'Opened']);
  });
});
