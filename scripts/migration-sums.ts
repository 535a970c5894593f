import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = 'prisma/migrations';
/** As `sha256sum` writes it, and reads it with `--check` in that folder. */
const FILE = join(FOLDER, 'SHA256SUMS');
const USAGE = `usage: tsx scripts/migration-sums.ts            writes the sums of new migrations
       tsx scripts/migration-sums.ts --check`;

type Sums = Map<string, string>;

async function sumsNow(): Promise<Sums> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/migration.sql`);
  return new Map(
    await Promise.all(
      files.sort().map(async (file): Promise<[string, string]> => {
        const sql = await readFile(join(FOLDER, file), 'utf8');
        return [file, createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')];
      }),
    ),
  );
}

async function sumsKept(): Promise<Sums> {
  const text = existsSync(FILE) ? await readFile(FILE, 'utf8') : '';
  const lines = text.split(/\r?\n/).filter(Boolean);
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

/** Databases that applied a migration refuse to start with another text of it, which no test on a new database can notice. */
const changed = (now: Sums, kept: Sums): string[] =>
  [...kept]
    .filter(([file, sum]) => now.get(file) !== sum)
    .map(
      ([file]) =>
        `${file} is not what it was: databases that applied it would be refused. Restore it, and write a new one.`,
    );

const unlisted = (now: Sums, kept: Sums): string[] =>
  [...now.keys()]
    .filter((file) => !kept.has(file))
    .map((file) => `${file} has no sum yet: run "npm run migrate:sums" once it is as it will stay.`);

async function main(args: string[]): Promise<number> {
  const checking = args[0] === '--check';
  if (args.length > (checking ? 1 : 0)) {
    console.error(USAGE);
    return 1;
  }
  const [now, kept] = await Promise.all([sumsNow(), sumsKept()]);
  const faults = [...changed(now, kept), ...(checking ? unlisted(now, kept) : [])];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) return 1;
  if (!checking) await writeFile(FILE, [...now].map(([file, sum]) => `${sum}  ${file}\n`).join(''));
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
