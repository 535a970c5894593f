import type { Hono } from 'hono';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';
import type { Scope } from '../../src/generated/prisma/client.ts';
import { ID_PREFIXES, type IdType, typeOfId } from '../../src/lib/id.ts';
import { newRestWorld } from '../rest/fixture.ts';
import { ask as asked, browser, newClient, post, signedIn, VERIFIER } from '../support/oauth.ts';
import { newMember, type Person } from '../support/world.ts';
import { mutationText, sendGraph } from './requests.ts';
import { filed, hooked, read, sealed, sent, signed } from './tenant-background.ts';
import { type Change, commentOf, decided, invited, more, type RestWorld, saved } from './tenant-work.ts';

/** An organization with one of everything in it, and who belongs to it. */
export interface Tenant extends RestWorld {
  admin: Person;
  member: Person;
  guest: Person;
  /** An application's token of the owner that is good for reading alone, and another one's that is good for all. */
  readToken: string;
  writeToken: string;
  /** One id for each thing that a mutation can name. */
  at: Record<string, string>;
  /** The ids of all that it holds, by the type that they name. */
  ids: Partial<Record<IdType, string[]>>;
}

const changeOf =
  (app: Hono, { key }: Person): Change =>
  async (name, input) => {
    const { body } = await sendGraph(app, mutationText(name), { input }, key);
    if (body.errors) throw new Error(`${name}: ${JSON.stringify(body.errors)}`);
    return body.data[name];
  };

/** A world with one of everything. Every type, field and edge of the graph has to find something in it. */
export async function newTenant(db: Database, app: Hono): Promise<Tenant> {
  const world = await newRestWorld(db);
  const { owner, organization, stranger } = world;
  const admin = await newMember(db, organization.id, 'ADMIN');
  const member = await newMember(db, organization.id, 'MEMBER');
  const guest = await newMember(db, organization.id, 'GUEST');
  const colleague = await newMember(db, organization.id, 'MEMBER');
  const people = { member, guest, colleague };
  const change = changeOf(app, owner);
  const at: Record<string, string> = {
    ...world.params,
    other: world.other.id,
    recycled: world.recycled.id,
    upload: world.uploadId,
  };
  for (const part of [hooked, more, decided, saved, signed, sealed, filed, read, invited, sent])
    Object.assign(at, await part({ world, people, change, at, elsewhere: changeOf(app, stranger) }));
  const { token: readToken, clientId } = await application(app, world, ['read']);
  const { token: writeToken } = await application(app, world, ['read', 'write']);
  const remark = { documentId: at.documentId, texts: ['by an application'] };
  await changeOf(app, { ...owner, key: writeToken })('createComments', remark);
  Object.assign(at, { client: clientId, memberUser: member.id, comment: await commentOf(world) });
  world.bodies.linkTaskDocuments = [{ DocumentID: at.spareDocument }];
  const ids = await idsOf(world, [owner.id, admin.id, member.id, guest.id, colleague.id]);
  /** The one address that not any document of the world will do for. */
  const fill: RestWorld['fill'] = (row, elsewhere) =>
    world.fill(row, {
      ...(row.id === 'getDocumentEvidence' && { documentId: at.sealed as string }),
      ...elsewhere,
    });
  return { ...world, fill, admin, member, guest, readToken, writeToken, at, ids };
}

/** An application that the owner has let do so much. */
async function application(app: Hono, { db, owner, organization }: RestWorld, scopes: Scope[]) {
  const client = await newClient(owner, organization.id, { scopes });
  const user = browser(app, await signedIn(db, owner.id));
  const code = await user.code(asked(client, { scope: scopes.join(' ') }));
  const { body } = await post(app, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: VERIFIER,
    client_id: client.id,
    client_secret: client.secret,
  });
  return { token: body.access_token as string, clientId: client.id };
}

/** Every row that speaks of the organization or of its people, and has an id. */
async function idsOf({ db, organization }: RestWorld, userIds: string[]): Promise<Tenant['ids']> {
  const tables = await db.query<{ name: string }>(sql`
    SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'id'`);
  const about = [organization.id, ...userIds].map((id) => `%${id}%`);
  const ids: Tenant['ids'] = {};
  for (const { name } of tables) {
    const rows = await db.query<{ id: string }>(
      sql`SELECT id FROM ${sql.raw(`"${name}"`)} t WHERE id ~ '^[a-z]{3}_' AND to_jsonb(t)::text LIKE ANY(${about})`,
    );
    for (const { id } of rows) {
      const type = typeOfId(id);
      if (type) ids[type] = [...(ids[type] ?? []), id];
    }
  }
  return ids;
}

export const prefixOf = (id: string): string => id.slice(0, 3);

export const TYPES = Object.keys(ID_PREFIXES) as IdType[];
