import type { Database, Reader } from '../../../src/db/database.ts';

/**
 * Rows of pipelined reads keep their values behind getters (db/postgres/lazy-row.ts): whoever copies one, lists its members
 * or writes it as JSON gets nothing, and no error. In tests that is an error, on both databases.
 */
const REFUSED = () => {
  throw new TypeError('A pipelined row has no own properties: read its members by name, and do not copy it.');
};

const refusing = <Row extends object>(row: Row): Row =>
  new Proxy(row, {
    get: (_, name) => {
      const value = Reflect.get(row, name, row);
      // A nested row (db/sql/rows.ts).
      return typeof name === 'string' && name.startsWith('+') && value ? refusing(value as object) : value;
    },
    ownKeys: REFUSED,
    getOwnPropertyDescriptor: REFUSED,
  });

const refusingReader = (reader: Reader): Reader => ({
  query: async <Row>(statement: Parameters<Reader['query']>[0]) =>
    (await reader.query<object>(statement)).map(refusing) as Row[],
});

/** The same database, whose pipelined rows cannot be copied. */
export const refusingCopies = <Opened extends Database>(db: Opened): Opened => ({
  ...db,
  pipelined: refusingReader(db.pipelined),
  forCaller: (cancellation, meter) => refusingCopies(db.forCaller(cancellation, meter)),
});
