import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { rowDescriber } from './describe.ts';
import type { SentStatement } from './record.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * `Columns` must be assignable to the row type that a call asserts. Columns of type text may hold the strings of a narrower
 * type, which PostgreSQL does not know of; columns of an enum type must have its labels.
 */
const TYPES = `
type Widen<T> = T extends string ? string : T extends readonly (infer Item)[] ? Widen<Item>[] : T;
type Expected<Row, Columns> = {
  [K in keyof Row]: K extends keyof Columns
    ? [string] extends [NonNullable<Columns[K]>] ? Widen<Row[K]>
    : [string[]] extends [NonNullable<Columns[K]>] ? Widen<Row[K]> : Row[K]
    : Row[K];
};
type Described<Columns extends Expected<Row, Columns>, Row> = Row;
`;

/** A call of `query` with a type of its rows. */
const CALL = /\.query<(?!Row>|Row &)/;

/** Nullable columns that a statement's own conditions keep from being null, by file. */
const NEVER_NULL: Record<string, string[]> = {
  'domain/accounts/passkey.ts': ['handle'],
  'domain/access/fresh-proof.ts': ['authenticatedAt'],
  'domain/approvals/approval-overdue.ts': ['dueAt'],
  'domain/archive/export-claim.ts': ['blobId', 'readAt'],
  'domain/archive/export-download.ts': ['blobId', 'size', 'sha256', 'readAt'],
  'domain/events/state-verify.ts': ['hash'],
  'domain/file-text/document-text.ts': ['firstPage'],
  'domain/folders/folder-delete.ts': ['folderId'],
  'domain/mails/mail.ts': ['id', 'organizationId', 'message'],
  'domain/notifications/notification-recipients.ts': ['projectId'],
  'domain/oauth/resource-server.ts': ['uri'],
  'domain/oauth/token-state.ts': ['codeHash'],
  'domain/oauth/token-successor.ts': ['successor'],
  'domain/projects/project-delete.ts': ['purgeMarkedAt', 'purgeMarkedById'],
  'domain/renditions/rendition-claim.ts': ['blobId'],
  'domain/sealing/sealing-facts.ts': ['completedAt', 'value'],
  'domain/sealing/sealing.ts': ['blobId'],
  'domain/signatures/signature-mail.ts': ['requestedAt'],
  'domain/signatures/signature-request.ts': ['linkExpiresAt'],
  'domain/webhooks/webhook-mail.ts': ['stateReason'],
};

const withoutNull = (file: string, columns: string): string =>
  (NEVER_NULL[file] ?? []).reduce(
    (type, name) => type.replace(new RegExp(`("${name}": [^;}]*?) \\| null`), '$1'),
    columns,
  );

export interface RowTypeReport {
  /** Errors of the compiler, at calls whose row type differs from what the database describes. */
  errors: string[];
  checked: number;
  /** Calls that no test reached, as file:line. */
  unchecked: string[];
}

/** Compares the row types of all `query<Row>(…)` in src with the description of the statements that the run recorded. */
export async function checkRowTypes(recorded: string): Promise<RowTypeReport> {
  const copy = await mkdtemp(join(tmpdir(), 'docgraph-row-types-'));
  try {
    for (const folder of ['src', 'prisma'])
      await cp(join(root, folder), join(copy, folder), { recursive: true });
    await cp(join(root, 'package.json'), join(copy, 'package.json'));
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    await writeFile(join(copy, 'src/row-types.d.ts'), TYPES);
    await writeFile(
      join(copy, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { types: ['node'], incremental: false },
        include: ['src'],
        exclude: ['src/generated/assets'],
      }),
    );
    const { checked, unchecked } = await annotate(copy, await describeAll(await readRecorded(recorded)));
    return { errors: await compile(copy), checked, unchecked };
  } finally {
    await rm(copy, { recursive: true });
  }
}

async function readRecorded(folder: string): Promise<SentStatement[]> {
  const files = await Promise.all(
    (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')),
  );
  const lines = new Set(files.flatMap((file) => file.split('\n').filter(Boolean)));
  return [...lines].map((line) => JSON.parse(line));
}

/** The row types of each place, as file:line. */
async function describeAll(statements: readonly SentStatement[]): Promise<Map<string, Set<string>>> {
  const pglite = await newPglite();
  const types = new Map<string, Set<string>>();
  try {
    const describe = await rowDescriber(pglite);
    for (const { file, line, text } of statements) {
      const location = `${file}:${line}`;
      types.set(location, (types.get(location) ?? new Set()).add(await describe(text)));
    }
  } finally {
    await pglite.close();
  }
  return types;
}

/** A copy of the run's embedded template, in this thread. */
async function newPglite(): Promise<PGlite> {
  const dump = await readFile(process.env.TEST_DATABASE_DUMP as string);
  return PGlite.create({ loadDataDir: new Blob([dump]), extensions: { btree_gin, pg_trgm } });
}

/** Wraps the row type of each call for which there are descriptions. */
async function annotate(copy: string, types: ReadonlyMap<string, ReadonlySet<string>>) {
  const report = { checked: 0, unchecked: [] as string[] };
  const files = (await readdir(join(copy, 'src'), { recursive: true })).filter((file) =>
    /\.tsx?$/.test(file),
  );
  for (const file of files.filter((each) => !/^(generated|db\/(?!clock))/.test(each))) {
    const path = join(copy, 'src', file);
    const lines = (await readFile(path, 'utf8')).split('\n');
    for (const [index, line] of lines.entries()) {
      if (!CALL.test(line)) continue;
      const location = `${file.replaceAll('\\', '/')}:${index + 1}`;
      const described = types.get(location);
      if (described) report.checked++;
      else report.unchecked.push(location);
      const open = [...(described ?? [])]
        .map((columns) => `Described<${withoutNull(file, columns)}, `)
        .join('');
      if (open) wrap(lines, index, open, '>'.repeat(described?.size ?? 0));
    }
    await writeFile(path, lines.join('\n'));
  }
  return report;
}

/** Puts `open` and `close` around the type argument that begins in that line; it may end in a later one. */
function wrap(lines: string[], index: number, open: string, close: string): void {
  const begin = (lines[index] as string).indexOf('query<') + 'query<'.length;
  for (let at = begin, depth = 1, line = index; line < lines.length; line++, at = 0) {
    const text = lines[line] as string;
    for (; at < text.length; at++) {
      depth += text[at] === '<' ? 1 : text[at] === '>' && text[at - 1] !== '=' ? -1 : 0;
      if (depth > 0) continue;
      lines[line] = `${text.slice(0, at)}${close}${text.slice(at)}`;
      lines[index] = `${lines[index]?.slice(0, begin)}${open}${lines[index]?.slice(begin)}`;
      return;
    }
  }
}

async function compile(copy: string): Promise<string[]> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  // Several checkers repeat work.
  const args = [tsc, '-p', copy, '--pretty', 'false', '--checkers', '1'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: copy,
    maxBuffer: 2 ** 26,
  }).catch((error: { stdout: string }) => error);
  return stdout.split('\n').filter(Boolean);
}
