import { issueApiKey } from '../auth/api-key.ts';
import { hashPassword } from '../auth/password.ts';
import { databaseTime } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { resetSecondFactors } from '../domain/accounts/factor-reset.ts';
import { setPassword } from '../domain/accounts/password.ts';
import { recordEvents } from '../domain/kernel/audit.ts';
import type { Context } from '../domain/kernel/context.ts';
import { badInput, conflict, notFound } from '../domain/kernel/errors.ts';
import { email as emailInput, name as nameInput, parse } from '../domain/kernel/input.ts';
import { APPLICATION_SCOPES, SCOPES } from '../domain/kernel/scope.ts';
import { adoptStore } from '../domain/maintenance/store-owner.ts';
import { sweep } from '../domain/maintenance/sweep.ts';
import { createClient } from '../domain/oauth/client-change.ts';
import { createOrganization } from '../domain/organizations/organization.ts';
import { purgeProjects } from '../domain/projects/project-purge.ts';
import { reindex } from '../domain/search/search-reindex.ts';
import { viewerOfUser } from '../domain/users/viewer-of-user.ts';
import { ClientKind, OrganizationRole } from '../generated/prisma/enums.ts';
import { newId } from '../lib/id.ts';
import { runAll } from '../lib/run-all.ts';
import { DAY } from '../lib/time.ts';
import { ACCOUNT_COMMANDS, passwordOf } from './accounts.ts';
import { APPLICATION_COMMANDS } from './applications.ts';
import { ARCHIVE_COMMANDS } from './archive.ts';
import { AUDIT_COMMANDS } from './audit.ts';
import type { AdminContext, Command } from './command.ts';
import { DEPRECATION_COMMANDS } from './deprecations.ts';
import { FAILED_WORK_COMMANDS } from './failed-work.ts';
import { PERSONAL_DATA_COMMANDS } from './personal-data.ts';

/** Credential and request id of actions from the command line. */
const ADMIN = 'admin';

async function userOf(
  { db }: AdminContext,
  emailAddress: string | undefined,
): Promise<{ id: string; email: string }> {
  const user = await db.prisma.user.findUnique({
    where: { email: parse(emailInput, emailAddress, 'email') },
  });
  if (!user) throw notFound('User');
  return user;
}

const userContext = async ({ db, storage, limits }: AdminContext, userId: string): Promise<Context> => ({
  db,
  storage,
  limits,
  requestId: ADMIN,
  viewer: await viewerOfUser(db, userId, ADMIN),
});

/** The value of the option `at` in any case. Throws BAD_USER_INPUT for any other. */
const oneOf = <Value extends string>(values: Record<string, Value>, text: string, at: string): Value => {
  const value = Object.values(values).find((each) => each.toLowerCase() === text.toLowerCase());
  if (!value) throw badInput(`--${at}: one of ${Object.values(values).join(', ')}`, at);
  return value;
};

const APPLICATION_KINDS = { CONFIDENTIAL: 'CONFIDENTIAL', PUBLIC: 'PUBLIC' } as const;

const REACH = { ORGANIZATION: 'ORGANIZATION', INSTALLATION: 'INSTALLATION' } as const;

function scopesOf<Name extends string>(names: readonly Name[], text = 'read,write'): Name[] {
  const byName = Object.fromEntries(names.map((name) => [name, name])) as Record<string, Name>;
  return [...new Set(text.split(',').map((scope) => oneOf(byName, scope.trim(), 'scopes')))];
}

export const COMMANDS: Record<string, Command> = {
  ...ACCOUNT_COMMANDS,
  'set-password': {
    description: 'Sets the password of an account, ends its sign-ins and revokes its grants to applications.',
    options: ['email'],
    async run(context, { email }) {
      const user = await userOf(context, email);
      const { password, description } = passwordOf(context.password);
      const passwordHash = await hashPassword(password);
      await inTransaction(context.db, async (tx) => {
        await setPassword(tx, {
          ...{ userId: user.id, email: user.email, passwordHash, ipAddress: null },
          kind: 'password.setByAdministrator',
        });
      });
      return `${user.email} can sign in with ${description}`;
    },
  },
  'reset-mfa': {
    description: 'Removes the second factors of an account, and ends its sign-ins.',
    options: ['email'],
    async run({ db, ...context }, { email }) {
      const user = await userOf({ db, ...context }, email);
      const removed = await resetSecondFactors(db, user.id);
      return removed
        ? `${user.email} can sign in without a second factor`
        : `${user.email} has no second factor`;
    },
  },
  'create-organization': {
    description: 'Creates an organization owned by an account.',
    options: ['name', 'owner'],
    async run(context, { name, owner }) {
      const { id } = await userOf(context, owner);
      const organization = await createOrganization(await userContext(context, id), { name: name as string });
      return organization.id;
    },
  },
  'add-member': {
    description: 'Adds an account to an organization, without an invitation.',
    options: ['organization', 'email', 'role'],
    async run(context, { organization, email, role }) {
      const user = await userOf(context, email);
      const row = {
        organizationId: organization as string,
        userId: user.id,
        role: oneOf(OrganizationRole, role ?? '', 'role'),
      };
      return addMember(context.db, { ...row, id: newId('Membership'), createdById: user.id }, user.email);
    },
  },
  'create-key': {
    description:
      'Creates an API key of an account and prints its secret; --days: its lifetime, --scopes: read,write or narrower ones.',
    options: ['email', 'name', 'scopes', 'days'],
    optional: ['scopes', 'days'],
    async run(context, { email, name, scopes, days }) {
      const user = await userOf(context, email);
      const lifetimeDays = days === undefined ? null : Number(days);
      if (lifetimeDays !== null && !(lifetimeDays > 0)) throw badInput('--days: a number above 0', 'days');
      const { secret } = await issueApiKey(context.db.prisma, {
        userId: user.id,
        name: parse(nameInput, name, 'name'),
        scopes: scopesOf(SCOPES, scopes),
        expiresAt: lifetimeDays === null ? null : await databaseTime(context.db, lifetimeDays * DAY),
      });
      return secret;
    },
  },
  'create-app': {
    description:
      'Registers an OAuth application of an organization; --kind: confidential or public, --redirect-uris: separated by commas.',
    options: ['organization', 'owner', 'name', 'kind', 'redirect-uris', 'scopes'],
    optional: ['scopes'],
    async run(context, options) {
      const { id } = await userOf(context, options.owner);
      const { client, secret } = await createClient(await userContext(context, id), {
        organizationId: options.organization as string,
        name: options.name as string,
        kind: oneOf(APPLICATION_KINDS, options.kind ?? '', 'kind'),
        redirectUris: (options['redirect-uris'] ?? '').split(','),
        scopes: scopesOf(APPLICATION_SCOPES, options.scopes),
      });
      return JSON.stringify({ client_id: client.id, ...(secret && { client_secret: secret }) });
    },
  },
  'create-resource-server': {
    description:
      'Registers a server that checks tokens by introspection; --reach: organization, or installation for the tokens of all organizations.',
    options: ['organization', 'owner', 'name', 'resource-uri', 'reach'],
    async run(context, options) {
      const { id } = await userOf(context, options.owner);
      const input = {
        organizationId: options.organization as string,
        name: options.name as string,
        kind: ClientKind.RESOURCE_SERVER,
        redirectUris: [],
        scopes: [],
        resourceUri: options['resource-uri'],
      };
      const installationWide = oneOf(REACH, options.reach ?? '', 'reach') === 'INSTALLATION';
      const { client, secret } = await createClient(await userContext(context, id), input, {
        installationWide,
      });
      return JSON.stringify({ client_id: client.id, client_secret: secret });
    },
  },
  reindex: {
    description:
      'Rebuilds the search index while the server runs, queues all files for text extraction, and PDFs without a page count for inspection; --after: continues behind an id that it printed.',
    options: ['after'],
    optional: ['after'],
    async run({ db }, { after }) {
      let total = 0;
      let inspections = 0;
      for await (const { last, count, inspected } of reindex(db, after)) {
        total += count;
        inspections += inspected;
        console.log(`${total} done, up to ${last}`);
      }
      const pages = inspections > 0 ? ` ${inspections} PDFs without a page count are inspected again.` : '';
      return `All ${total} are done; the text of files follows in the background.${pages}`;
    },
  },
  'adopt-files': {
    description:
      'Makes this database the owner of the files in the configured folder or bucket, which belonged to another; its sweep then deletes those that it does not know.',
    options: [],
    run: async ({ db, storage: { store } }) => {
      await adoptStore(db, store);
      return 'The files belong to this database now.';
    },
  },
  sweep: {
    description:
      'Deletes expired uploads, projects and documents whose time in the recycle bin is over, and unreferenced files; prints counts.',
    options: [],
    run: async ({ db, storage, limits }) => {
      const { projects, others } = await runAll({
        projects: () => purgeProjects(db, limits.recycleBin),
        others: () => sweep(db, storage.store),
      });
      return JSON.stringify({ projects, ...others });
    },
  },
  ...APPLICATION_COMMANDS,
  ...ARCHIVE_COMMANDS,
  ...DEPRECATION_COMMANDS,
  ...AUDIT_COMMANDS,
  ...FAILED_WORK_COMMANDS,
  ...PERSONAL_DATA_COMMANDS,
};

type Row = {
  organizationId: string;
  id: string;
  userId: string;
  role: OrganizationRole;
  createdById: string;
};

const addMember = (db: Database, row: Row, email: string): Promise<string> =>
  inTransaction(db, async (tx) => {
    const organization = await tx.prisma.organization.findUnique({ where: { id: row.organizationId } });
    if (!organization) throw notFound('Organization');
    const { count } = await tx.prisma.membership.createMany({
      data: [{ ...row, createdAt: await databaseTime(tx) }],
      skipDuplicates: true,
    });
    if (count === 0) throw conflict('This account is a member already.');
    await recordEvents({ viewer: { userId: null, credentialId: null }, requestId: ADMIN }, tx, [
      {
        organizationId: row.organizationId,
        subjectId: row.userId,
        kind: 'member.added',
        data: { after: { role: row.role, email } },
      },
    ]);
    return `${email} is ${row.role} of ${organization.name}`;
  });
