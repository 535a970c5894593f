import type { Database } from '../../src/db/database.ts';
import { addProjectMembers } from '../../src/domain/membership/project-member-change.ts';
import { receiveUpload } from '../../src/domain/uploads/upload.ts';
import { type IdType, newId } from '../../src/lib/id.ts';
import { testStorage } from '../support/storage.ts';
import { newMember, newWorld, type Person } from '../support/world.ts';
import { IdNames } from './id-names.ts';
import { type Rows, rowsOf } from './stored-rows.ts';

/** The reader manages the organization too, with a key that only reads. */
export const ROLES = ['owner', 'member', 'guest', 'stranger', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** How many before the newest; or an id of the other twin; or one that nothing has. */
export type Selection = number | 'foreign' | 'unknown';

/** Where a command is sent. */
export interface ProjectSelection {
  organization: Selection;
  project: Selection;
}

/** One of two worlds that begin alike. */
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

  /** Reads all that is stored of it. */
  async look(): Promise<Rows> {
    this.rows = await rowsOf(
      this.db,
      ROLES.map((part) => this.people[part].id),
    );
    this.names.learn(JSON.stringify(this.rows));
    return this.rows;
  }

  /** Sends the bytes of the newest reservation, as no API of the two does. */
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
    members: [{ email: people.guest.email, role: 'VIEWER' }],
  });
  const twin = new Twin(db, people);
  await twin.look();
  return twin;
}

/** Gives a person the name of their part, by which they sort alike in every twin. */
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

/** What a command means in one twin: the same picks give the things of the same order in the other. */
export class At {
  readonly #twin: Twin;
  readonly #other: Twin;
  readonly #unknown = new Map<IdType, string>();
  readonly place: { organizationId: string; projectId: string };

  constructor(twin: Twin, other: Twin, place: ProjectSelection) {
    this.#twin = twin;
    this.#other = other;
    this.place = {
      organizationId: this.#oldest('Organization', place.organization),
      projectId: this.#oldest('Project', place.project),
    };
  }

  #oldest(type: IdType, pick: Selection): string {
    if (pick === 'unknown') return this.#none(type);
    if (pick === 'foreign') return this.#other.names.of(type)[0] ?? this.#none(type);
    return this.#twin.names.of(type)[pick] ?? this.#none(type);
  }

  /** Within a command it is always the same. */
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

  /** Undefined where nothing is picked. */
  maybe(type: IdType, pick: Selection | null | undefined): string | undefined {
    return pick == null ? undefined : this.id(type, pick);
  }

  ids(type: IdType, picks: readonly Selection[]): string[] {
    return picks.map((pick) => this.id(type, pick));
  }

  /** The id that a row names in a column, such as the document of a form. */
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
