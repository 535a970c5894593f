import { Readable } from 'node:stream';
import type { Database, Session } from '../../src/db/database.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import type { BlobStore } from '../../src/files/store/store.ts';

/** The failure that was asked for. */
export class Fault extends Error {
  constructor(call: string) {
    super(`fault at ${call}`);
  }
}

/** Counts calls, and makes the one with the number `at` fail: before it does anything, or after, as an answer that is lost. */
export class Faults {
  count = 0;
  names: string[] = [];
  readonly #at: number;
  readonly #when: 'before' | 'after';

  constructor(at: number, when: 'before' | 'after') {
    this.#at = at;
    this.#when = when;
  }

  async call<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    this.names.push(name);
    const hit = ++this.count === this.#at;
    if (hit && this.#when === 'before') throw new Fault(name);
    const result = await work();
    if (!hit) return result;
    // A stream that nobody got must not stay open.
    if (result instanceof Readable) result.destroy();
    throw new Fault(name);
  }
}

/** What a command is given where one of these calls fails. */
export const faultyContext = (ctx: Context, faults: Faults): Context => ({
  ...ctx,
  db: faultyDatabase(ctx.db, faults),
  storage: { ...ctx.storage, store: faultyStore(ctx.storage.store, faults) },
});

/** The same database, each statement and each commit of which may be the one that fails. */
const faultyDatabase = (db: Database, faults: Faults): Database => ({
  ...db,
  prisma: faultyClient(db.prisma, faults) as Database['prisma'],
  query: (statement) => faults.call('query', () => db.query(statement)),
  readByPrisma: (read) =>
    db.readByPrisma((client) => read(faultyClient(client, faults) as Database['prisma'])),
  transact: (work) =>
    faults.call('commit', () => db.transact((session) => work(faultySession(session, faults)))),
});

const faultySession = (session: Session, faults: Faults): Session => ({
  prisma: faultyClient(session.prisma, faults) as Session['prisma'],
  query: (statement) => faults.call('query', () => session.query(statement)),
  defer: (statement) => faults.call('query', () => session.defer(statement)),
});

const faultyClient = (client: object, faults: Faults): object =>
  new Proxy(client, {
    get: (target, name) => faultyModel(Reflect.get(target, name), String(name), faults),
  });

const faultyModel = (model: object, name: string, faults: Faults): object =>
  new Proxy(model, {
    get(target, member) {
      const value = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) =>
        faults.call(`${name}.${String(member)}`, async () => value.apply(target, args));
    },
  });

const faultyStore = (store: BlobStore, faults: Faults): BlobStore => ({
  ...store,
  stat: (key) => faults.call('stat', () => store.stat(key)),
  append: (...piece) => faults.call('append', () => store.append(...piece)),
  write: (...object) => faults.call('write', () => store.write(...object)),
  discard: (key) => faults.call('discard', () => store.discard(key)),
  finish: (...end) => faults.call('finish', () => store.finish(...end)),
  read: (...part) => faults.call('read', () => store.read(...part)),
  remove: (key) => faults.call('remove', () => store.remove(key)),
});
