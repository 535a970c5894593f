import type { Database } from '../../src/db/database.ts';
import { addProjectMembers } from '../../src/domain/membership/project-member-add.ts';
import { receiveUpload } from '../../src/domain/uploads/upload.ts';
import { type IdType, newId } from '../../src/lib/id.ts';
import { testStorage } from '../support/storage.ts';
import { newMember, newWorld, type Person } from '../support/world.ts';
import { IdNames } from './id-names.ts';
import { type Rows, rowsOf } from './stored-rows.ts';

/** The reader is an admin of the organization with a read-only key. */
const ROLES = ['owner', 'member', 'guest', 'stranger', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** The position counted back from the newest, or an id of the other twin, or an unused id. */
export type Selection = number | 'foreign' | 'unknown';

/** The organization and project of a command. */
export interface ProjectSelection {
  organization: Selection;
  project: Selection;
}

/** One of two worlds that start with the same content. */
export class Twin {
  readonly db: Database;
  readonly people: Record<Role, Person>;
  readonly names: IdNames;
  rows: Rows = {};

  constructor(db: Database, people: Record<Role, Person>) {
    this.db = db;
    this.people = people;
    this.names = new IdNames(
      Object.fromEntries(ROLES.map((part) => [part, people[part].email])) as Record<Role, string>,
    );
  }

  /** Reads all its stored rows. */
  async look(): Promise<Rows> {
    this.rows = await rowsOf(
      this.db,
      ROLES.map((part) => this.people[part].id),
    );
    this.names.learn(JSON.stringify(this.rows));
    return this.rows;
  }

  /** Uploads the bytes of the newest reservation, which neither API does. */
  async sendBytes(): Promise<void> {
    const id = this.names.of('Upload').at(-1) as string;
    const { blobId } = await this.db.prisma.upload.findUniqueOrThrow({ where: { id } });
    const bytes = Buffer.from('twelve bytes');
    const { store } = await testStorage(this.db);
    await store.append(blobId, 0, once(bytes));
    await receiveUpload(this.db, blobId, await store.finish(blobId, bytes.length));
  }
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

async function newTwin(): Promise<Twin> {
  const { db, owner, organization, project, stranger } = await newWorld();
  const member = await newMember(db, organization.id, 'MEMBER');
  const guest = await newMember(db, organization.id, 'GUEST');
  const reader = await newMember(db, organization.id, 'ADMIN');
  const people = { owner, member, guest, stranger, reader };
  for (const part of ROLES) people[part] = await cast(db, people[part], part);
  await db.prisma.apiKey.updateMany({ where: { userId: reader.id }, data: { scopes: ['read'] } });
  await addProjectMembers(await owner.context(), {
    projectId: project.id,
    members: [{ person: { email: people.guest.email }, role: 'VIEWER' }],
  });
  const twin = new Twin(db, people);
  await twin.look();
  return twin;
}

/** Prefixes a person's address with their role, so that both twins sort them equally. */
async function cast(db: Database, person: Person, part: Role): Promise<Person> {
  const email = `${part}.${person.email}`;
  await db.prisma.user.update({ where: { id: person.id }, data: { name: part, email } });
  return { ...person, email };
}

export interface Twins {
  rest: Twin;
  graph: Twin;
}

export async function newTwins(): Promise<Twins> {
  return { rest: await newTwin(), graph: await newTwin() };
}

/** Resolves the selections of a command in one twin to its ids; the same selections give the corresponding ids in the other. */
export class At {
  readonly #twin: Twin;
  readonly #other: Twin;
  readonly #unknown = new Map<IdType, string>();
  readonly path: { organizationId: string; projectId: string };

  constructor(twin: Twin, other: Twin, selection: ProjectSelection) {
    this.#twin = twin;
    this.#other = other;
    this.path = {
      organizationId: this.#oldest('Organization', selection.organization),
      projectId: this.#oldest('Project', selection.project),
    };
  }

  #oldest(type: IdType, pick: Selection): string {
    if (pick === 'unknown') return this.#none(type);
    if (pick === 'foreign') return this.#other.names.of(type)[0] ?? this.#none(type);
    return this.#twin.names.of(type)[pick] ?? this.#none(type);
  }

  /** Constant within a command. */
  #none(type: IdType): string {
    const id = this.#unknown.get(type) ?? newId(type);
    this.#unknown.set(type, id);
    return id;
  }

  id(type: IdType, pick: Selection): string {
    if (pick === 'unknown') return this.#none(type);
    if (pick === 'foreign') return this.#other.names.of(type).at(-1) ?? this.#none(type);
    const ids = this.#twin.names.of(type);
    return ids.at(-1 - (pick % Math.max(1, ids.length))) ?? this.#none(type);
  }

  /** Undefined without a selection. */
  maybe(type: IdType, pick: Selection | null | undefined): string | undefined {
    return pick == null ? undefined : this.id(type, pick);
  }

  ids(type: IdType, picks: readonly Selection[]): string[] {
    return picks.map((pick) => this.id(type, pick));
  }

  /** The id in a column of a row, such as the document of a form. */
  of(table: string, id: string, column: string, type: IdType): string {
    const rows = [...(this.#twin.rows[table] ?? []), ...(this.#other.rows[table] ?? [])];
    return (rows.find((row) => row.id === id)?.[column] as string | null) ?? this.#none(type);
  }

  email(who: Role | 'nobody'): string {
    return who === 'nobody' ? 'nobody@example.test' : this.#twin.people[who].email;
  }

  userId(who: Role): string {
    return this.#twin.people[who].id;
  }
}
