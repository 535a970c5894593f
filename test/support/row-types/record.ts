import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Reader } from '../../../src/db/database.ts';

/** A statement that a test sent, and where `query` was called: a path below src and a line. */
export interface SentStatement {
  file: string;
  line: number;
  text: string;
}

/** The folder for the statements of this run; unset in runs that do not check row types. */
const folder = () => process.env.ROW_TYPES_FOLDER;

const seenTexts = new Set<string>();

/** Texts recorded for each place: statements with lists of values have a text for each length. */
const MAX_TEXTS = 20;
const recordedTexts = new Map<string, number>();

/** The nearest frame of the stack that is in src, but not in the database layer itself. */
const FRAME = /(?:\/|^)src\/(?!db\/(?!clock))(\S+?\.tsx?)(?:\?[^:]*)?:(\d+):\d+/;

/** Plans of statements have no rows of theirs, and those of a cursor cannot be described without it. */
const UNDESCRIBED = /^\s*(?:EXPLAIN|FETCH)\b/;

function record(text: string): void {
  if (seenTexts.has(text) || UNDESCRIBED.test(text)) return;
  seenTexts.add(text);
  const [location, file, line] = FRAME.exec(new Error().stack ?? '') ?? [];
  const recorded = recordedTexts.get(location as string) ?? 0;
  if (!location || recorded >= MAX_TEXTS) return;
  recordedTexts.set(location, recorded + 1);
  const sent: SentStatement = { file: file as string, line: Number(line), text };
  appendFileSync(join(folder() as string, `${process.pid}.jsonl`), `${JSON.stringify(sent)}\n`);
}

const recordingReader = (reader: Reader): Reader => ({
  query(statement) {
    record(statement.render().text);
    return reader.query(statement);
  },
});

/** The same database, which records each statement with the place that sent it, in runs that check row types. */
export function recording<Opened extends Database>(db: Opened): Opened {
  if (!folder()) return db;
  return {
    ...db,
    ...recordingReader(db),
    pipelined: recordingReader(db.pipelined),
    transact: (work, limits) =>
      db.transact((session) => work({ ...session, ...recordingReader(session) }), limits),
    forCaller: (cancellation, meter) => recording(db.forCaller(cancellation, meter)),
  };
}
