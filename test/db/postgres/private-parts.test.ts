import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PgPrisma } from '../../../src/db/postgres/pg-prisma.ts';

const PG = `A private part of pg or pg-protocol has changed: pin the version before in package.json, or adapt
src/db/postgres/pg-client.ts, pipeline.ts and pg-statement.ts ("When a release breaks a private part" in docs/internals/postgres.md).`;

const PRISMA = `A private part of @prisma/adapter-pg has changed: pin the version before in package.json (with prisma and
@prisma/client), or adapt ExternalTransactionAdapter in src/db/postgres/prisma-client.ts (docs/internals/postgres.md).`;

const PGLITE = `A private part of PGlite has changed: pin the version before in package.json, or adapt
src/db/pglite/synced-files.js and open-pglite.js (docs/internals/postgres.md). test/db/pglite/sync.test.ts must pass under strace.`;

/** A message from the server (PostgreSQL, Message Formats). */
function message(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)),
  );
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const int = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);
const short = (value: number) => Buffer.from([value >> 8, value]);

const READY = message('Z', Buffer.from('I'));
const ROW_DESCRIPTION = message(
  'T',
  short(1),
  'n',
  Buffer.concat([int(0), short(0), int(23), short(4), int(-1), short(0)]),
);

/** A socket whose other end is the test. */
class FakeSocket extends Duplex {
  readonly written: Buffer[] = [];
  connect = () => void setImmediate(() => this.emit('connect'));
  setNoDelay = () => this;
  override _read() {}
  override _write(chunk: Buffer, _: unknown, done: () => void) {
    this.written.push(chunk);
    done();
  }
  async receive(...messages: Buffer[]) {
    this.push(Buffer.concat(messages));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface PrivateClient {
  processID: number;
  connection: {
    stream: Duplex;
    parsedStatements: Record<string, string>;
    attachListeners(stream: unknown): void;
  };
}

describe('the private parts of pg that src/db/postgres uses', () => {
  let socket: FakeSocket;
  let client: pg.Client;
  let inside: PrivateClient;
  const attached: unknown[] = [];

  beforeEach(async () => {
    socket = new FakeSocket();
    client = new pg.Client({ stream: () => socket as never, user: 'u', query_timeout: 60_000 });
    client.on('error', () => {});
    inside = client as unknown as PrivateClient;
    const { connection } = inside;
    const attach = connection?.attachListeners;
    expect(attach, PG).toBeTypeOf('function');
    connection.attachListeners = (stream) => {
      attached.push(stream);
      attach.call(connection, stream);
    };
    const connected = client.connect();
    await new Promise((resolve) => setImmediate(resolve));
    await socket.receive(message('R', int(0)), message('K', int(4711), int(1)), READY);
    await connected;
  });

  it('Connection.attachListeners is called with the stream of the server', () => {
    expect(attached.at(-1), PG).toBe(socket);
  });

  it('Connection.stream is the socket, which can be written and destroyed', () => {
    expect(inside.connection.stream, PG).toBe(socket);
  });

  it('Client.processID is the id of the server process', () => {
    expect(inside.processID, PG).toBe(4711);
  });

  /** What a Submittable is called with, in order, for one run of a named statement. */
  async function run(...answer: Buffer[]) {
    const calls: [string, unknown?][] = [];
    const handler = (name: string) => (first?: unknown, second?: unknown) =>
      void calls.push([name, first === inside.connection || second === inside.connection]);
    const callback = () => {};
    const query = {
      name: 'name of it',
      text: 'SELECT 1',
      callback,
      fields: undefined as unknown,
      submit: (connection: unknown) => {
        calls.push(['submit', connection === inside.connection]);
        return null;
      },
      handleRowDescription: ({ fields }: { fields: unknown }) => {
        query.fields = fields;
      },
      handleDataRow: handler('dataRow'),
      handleCommandComplete: handler('commandComplete'),
      handleEmptyQuery: handler('emptyQuery'),
      handleReadyForQuery: handler('readyForQuery'),
      handleError: handler('error'),
    };
    client.query(query as never);
    const wrapped = query.callback !== callback;
    await socket.receive(...answer);
    query.callback();
    return { calls, fields: query.fields, wrapped };
  }

  it('Submittable: submit and the handlers are called as Pipeline expects, and callback is wrapped', async () => {
    const { calls, fields, wrapped } = await run(
      message('1'),
      ROW_DESCRIPTION,
      message('C', 'SELECT 0'),
      READY,
    );
    expect(calls, PG).toEqual([
      ['submit', true],
      ['commandComplete', true],
      ['readyForQuery', true],
    ]);
    expect(fields, PG).toMatchObject([{ name: 'n', dataTypeID: 23 }]);
    expect(wrapped, PG).toBe(true);
  });

  it('Submittable: errors and empty queries are reported with the connection', async () => {
    const { calls } = await run(message('I'), message('E', Buffer.from('SERROR\0C22012\0Mzero\0\0')), READY);
    expect(calls, PG).toEqual([
      ['submit', true],
      ['emptyQuery', true],
      ['error', true],
    ]);
  });

  it('Connection.parsedStatements has the text of each named statement after ParseComplete', async () => {
    await run(message('1'), message('C', 'SELECT 0'), READY);
    expect(inside.connection.parsedStatements, PG).toEqual({ 'name of it': 'SELECT 1' });
  });

  it('pg/lib/utils.js: prepareValue serializes parameters', () => {
    const values = [null, true, 7, 'x', { a: 1 }, ['a', null], Buffer.from('b')];
    expect(
      values.map((value) => prepareValue(value)),
      PG,
    ).toEqual([null, 'true', '7', 'x', '{"a":1}', '{"a",NULL}', Buffer.from('b')]);
  });

  it('pg-protocol: serialize writes the messages of the extended protocol', () => {
    const { parse, bind, describe, execute, sync, flush } = serialize;
    const messages = [
      parse({ name: 'n', text: 'SELECT $1' }),
      bind({ statement: 'n', values: [1], binary: true, valueMapper: () => 'mapped' }),
      describe({ type: 'P' }),
      execute(),
      flush(),
      sync(),
    ];
    expect(
      messages.map((each) => Buffer.from(each).toString('latin1')),
      PG,
    ).toEqual([
      'P\0\0\0\x12n\0SELECT $1\0\0\0',
      'B\0\0\0\x1b\0n\0\0\x01\0\0\0\x01\0\0\0\x06mapped\0\x01\0\x01',
      'D\0\0\0\x06P\0',
      'E\0\0\0\x09\0\0\0\0\0',
      'H\0\0\0\x04',
      'S\0\0\0\x04',
    ]);
  });
});

describe('the private parts of Prisma’s adapter that src/db/postgres uses', () => {
  const pool = new pg.Pool();

  /** A connection that keeps what it is asked, and has no rows. */
  function fakeConnection() {
    const texts: string[] = [];
    const query = async ({ text, rowMode }: { text: string; rowMode: string }) => {
      texts.push(`${rowMode} ${text}`);
      return { fields: [], rows: [], rowCount: 0 };
    };
    return { texts, query: query as (...args: unknown[]) => Promise<unknown> };
  }

  it('an adapter with another `client` sends its queries there', async () => {
    const { texts, query } = fakeConnection();
    const adapter = Object.assign(Object.create(await new PrismaPg(pool).connect()), { client: { query } });
    await adapter.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] });
    expect(texts, PRISMA).toEqual(['array SELECT 1']);
  });

  it('startTransaction is what begins a transaction, and with usePhantomQuery Prisma sends no COMMIT', async () => {
    const { texts, query } = fakeConnection();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const models = new PgPrisma(pool, undefined).on({ query }, ended);
    expect(await models.user.findMany({ select: { id: true } }), PRISMA).toEqual([]);
    end();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(texts, PRISMA).toEqual([expect.stringMatching(/^array SELECT /)]);
  });
});

describe('the private parts of PGlite that src/db/pglite uses', () => {
  interface Stream {
    nfd: number;
    node: { mode: number; parent: { name: string } };
  }
  interface Nodefs {
    node_ops: Record<string, unknown>;
    stream_ops: Record<string, unknown> & { fsync?: (stream: Stream) => number };
    tryFSOperation: (operation: () => unknown) => unknown;
  }
  let nodefs: Nodefs;
  let had: string[];
  const synced: Stream[] = [];
  let pglite: PGlite;
  let folder: string;

  class WatchedFiles extends NodeFS {
    override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
      const { emscriptenOpts } = await super.init(...args);
      const preRun = [...(emscriptenOpts.preRun ?? [])];
      preRun.push((module) => {
        nodefs = (module as unknown as { FS: { filesystems: { NODEFS: Nodefs } } }).FS?.filesystems?.NODEFS;
        had = Object.keys(nodefs?.stream_ops ?? {});
        nodefs.stream_ops.fsync = (stream) => {
          synced.push(stream);
          return 0;
        };
      });
      return { emscriptenOpts: { ...emscriptenOpts, preRun } };
    }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docgraph-private-parts-'));
    const startParams = [
      ...PGlite.defaultStartParams.filter((each) => each !== '-F'),
      '-c',
      'wal_sync_method=fsync',
    ];
    pglite = await PGlite.create({ fs: new WatchedFiles(join(folder, 'pg')), startParams });
  });

  afterAll(async () => {
    await pglite?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('PGlite.defaultStartParams turns fsync off with -F', () => {
    expect(PGlite.defaultStartParams, PGLITE).toContain('-F');
  });

  it('NODEFS has the operations that SyncedFiles replaces, and no fsync', () => {
    expect(Object.keys(nodefs.node_ops), PGLITE).toEqual(
      expect.arrayContaining(['setattr', 'rename', 'unlink', 'rmdir']),
    );
    expect(had, PGLITE).toEqual(expect.arrayContaining(['write', 'setattr', 'close']));
    expect(had, PGLITE).not.toContain('fsync');
    expect(nodefs.tryFSOperation, PGLITE).toBeTypeOf('function');
  });

  it('a commit calls fsync with a descriptor of a file in pg_wal', async () => {
    synced.length = 0;
    await pglite.exec('CREATE TABLE x (a int); INSERT INTO x VALUES (1)');
    const { nfd, node } = synced.find((each) => each.node?.parent?.name === 'pg_wal') ?? {};
    expect(nfd, PGLITE).toBeTypeOf('number');
    expect((node?.mode ?? 0) & 0o170000, PGLITE).toBe(0o100000);
  });

  it('execProtocolRawSync answers a pipeline in order, and ends with the state of the transaction', () => {
    const answer = Buffer.from(
      pglite.execProtocolRawSync(
        Buffer.concat([
          ...[serialize.parse({ text: 'BEGIN' }), serialize.bind(), serialize.execute(), serialize.flush()],
          ...[serialize.parse({ text: 'SELECT 1' }), serialize.bind(), serialize.execute(), serialize.sync()],
        ]),
      ),
    );
    expect(typesOf(answer), PGLITE).toBe('12C12DCZ');
    expect(answer.subarray(-6).toString('latin1'), PGLITE).toBe('Z\0\0\0\u0005T');
    pglite.execProtocolRawSync(serialize.query('ROLLBACK'));
  });

  it('execProtocolRawSync answers the startup message of each connection', () => {
    const startup = serialize.startup({ user: 'postgres', database: 'postgres' });
    for (let connection = 0; connection < 2; connection++)
      expect(typesOf(Buffer.from(pglite.execProtocolRawSync(startup))), PGLITE).toMatch(/^RS*KZ$/);
  });
});

/** The types of messages, a letter each. */
function typesOf(messages: Buffer): string {
  let types = '';
  for (let at = 0; at < messages.length; at += 1 + messages.readUInt32BE(at + 1))
    types += String.fromCharCode(messages[at] as number);
  return types;
}
