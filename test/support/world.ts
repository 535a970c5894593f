import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import pino from 'pino';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { viewerOfBearer } from '../../src/auth/bearer.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import type { Scope } from '../../src/domain/kernel/scope.ts';
import { createOrganization } from '../../src/domain/organizations/organization.ts';
import { createProjects } from '../../src/domain/projects/project.ts';
import type { OrganizationRole, Project, ProjectRole } from '../../src/generated/prisma/client.ts';
import { createApp } from '../../src/http/server.ts';
import { newId } from '../../src/lib/id.ts';
import { memoize } from '../../src/lib/memoize.ts';
import { testDatabase } from './database.ts';
import { checkAnswer } from './description.ts';
import { testStorage } from './storage.ts';

export const config = readConfig({
  LOG_LEVEL: 'silent',
  PUBLIC_URL: 'http://docgraph.test',
  REQUESTS_PER_MINUTE: '0',
  REQUESTS_PER_MINUTE_ADDRESS: '0',
});

/** What came back, as the test asked for it. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the query's
  data: any;
  errors?: { message: string; extensions: { code: string; at?: string; requestId?: string } }[];
  extensions?: Record<string, unknown>;
}

export interface RestAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the route's
  body: any;
}

export interface Person {
  id: string;
  email: string;
  key: string;
  /** The same person with another credential. */
  with(secret: string): Promise<Person>;
  /** The rules' context, with the rights of this moment. */
  context(): Promise<Context>;
  graph(query: string, variables?: Record<string, unknown>): Promise<Answer>;
  /** A call of REST v1; the path is the part below /api/v1. Throws where the answer is not what is described. */
  rest(method: string, path: string, body?: unknown, plain?: { text: string }): Promise<RestAnswer>;
}

export async function newPerson(db: Database, scopes: Scope[] = ['read', 'write']): Promise<Person> {
  const id = newId('User');
  const email = `p${randomBytes(6).toString('hex')}@example.test`;
  await db.prisma.user.create({
    data: { id, email, emailVerifiedAt: new Date(), name: `Person ${id.slice(-4)}` },
  });
  const { secret } = await issueApiKey(db.prisma, { userId: id, name: 'test', scopes });
  return personWith(db, { id, email }, secret);
}

const apps = new WeakMap<Database, Promise<Hono>>();

const open = async (db: Database): Promise<Hono> =>
  createApp({ config, db, storage: await testStorage(db), log: pino({ level: 'silent' }) });

/** The server on a database, the same for all who ask: nothing in it is of one caller. */
export const testApp = (db: Database): Promise<Hono> => memoize(apps, db, () => open(db));

/** What Node passes to the application with a request from an address that has arrived completely. */
export const sentFrom = (remoteAddress: string) => ({
  incoming: { complete: true, socket: { remoteAddress } },
});

async function personWith(
  db: Database,
  person: { id: string; email: string },
  secret: string,
): Promise<Person> {
  const storage = await testStorage(db);
  const app = await testApp(db);
  return {
    ...person,
    key: secret,
    with: (other) => personWith(db, person, other),
    async context() {
      const viewer = await viewerOfBearer(db, secret);
      if (!viewer) throw new Error('the key is not live');
      return { db, storage, viewer, limits: config.limits, requestId: 'test' };
    },
    async graph(query, variables) {
      const answer = await app.request('/graphql', {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      return withoutRequestIds((await answer.json()) as Answer);
    },
    async rest(method, path, body, plain) {
      const answer = await app.request(`/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json;charset=UTF-8' },
        body: plain?.text ?? (body === undefined ? undefined : JSON.stringify(body)),
      });
      const { status, headers } = answer;
      const text = WITH_MARK.decode(await answer.arrayBuffer());
      const [type = ''] = (headers.get('content-type') ?? '').split(';');
      const read = type === 'application/json' ? JSON.parse(text) : text;
      checkAnswer(method, path, { status, type, body: read });
      return { status, body: read, headers };
    },
  };
}

/** `text()` of a response drops the byte order mark. */
const WITH_MARK = new TextDecoder('utf-8', { ignoreBOM: true });

/** Checks that each error has its request id, and removes it, so that answers can be compared. */
function withoutRequestIds(answer: Answer): Answer {
  for (const { message, extensions } of answer.errors ?? []) {
    if (!extensions.requestId) throw new Error(`An error without a request id: ${message}`);
    delete extensions.requestId;
  }
  return answer;
}

/** Adds a person to an organization; returns them. */
export async function newMember(
  db: Database,
  organizationId: string,
  role: OrganizationRole,
): Promise<Person> {
  const person = await newPerson(db);
  await db.prisma.membership.create({
    data: { organizationId, id: newId('Membership'), userId: person.id, role, createdById: person.id },
  });
  return person;
}

/** Adds a member of the organization to a project of it; gives the id of that. */
export async function joinProject(
  db: Database,
  { organizationId, id: projectId, createdById }: Pick<Project, 'organizationId' | 'id' | 'createdById'>,
  { id: userId }: Pick<Person, 'id'>,
  role: ProjectRole,
): Promise<string> {
  const id = newId('ProjectMember');
  await db.prisma.projectMember.create({
    data: { organizationId, id, projectId, userId, role, ownRole: role, createdById },
  });
  return id;
}

/** A fresh organization with its owner, a project in it, and a stranger with an organization of their own. */
export async function newWorld(on?: Database) {
  const db = on ?? (await testDatabase());
  const owner = await newPerson(db);
  const organization = await createOrganization(await owner.context(), { name: 'Harbor' });
  const [project] = await createProjects(await owner.context(), {
    organizationId: organization.id,
    projects: [{ name: 'Quay' }],
  });
  if (!project) throw new Error('no project');
  const stranger = await newPerson(db);
  await createOrganization(await stranger.context(), { name: 'Elsewhere' });
  return { db, owner, organization, project, stranger };
}
