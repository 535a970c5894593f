import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checksumsOf, type Migration, readMigrations } from '../src/db/migrate/migrate.ts';

const FOLDER = 'prisma/migrations';
/** In the format of `sha256sum`; `sha256sum --check` can verify it in that folder. */
const FILE = join(FOLDER, 'SHA256SUMS');
const USAGE = `usage: tsx scripts/migration-sums.ts            writes the sums of new migrations
       tsx scripts/migration-sums.ts --check`;

const fileOf = ({ name }: Migration): string => `${name}/migration.sql`;

/** The recorded sums by file. */
async function readSums(): Promise<Map<string, string>> {
  const text = existsSync(FILE) ? await readFile(FILE, 'utf8') : '';
  const lines = text.split(/\r?\n/).filter(Boolean);
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

/** Migrations that differ from their sums: servers refuse databases that applied the former text. */
function changedFiles(migrations: Migration[], recorded: Map<string, string>): string[] {
  const texts = new Map(migrations.map((each) => [fileOf(each), each.sql]));
  return [...recorded]
    .filter(([file, sum]) => !checksumsOf(texts.get(file) ?? '').includes(sum))
    .map(([file]) => file);
}

async function main(args: string[]): Promise<number> {
  const checking = args[0] === '--check';
  if (args.length > (checking ? 1 : 0)) {
    console.error(USAGE);
    return 1;
  }
  const [migrations, recorded] = await Promise.all([readMigrations(FOLDER), readSums()]);
  const mismatches = changedFiles(migrations, recorded);
  for (const file of mismatches)
    console.error(
      `${file} is not what it was: databases that applied it would be refused. Restore it, and write a new one.`,
    );
  if (mismatches.length > 0) return 1;
  const unrecorded = migrations.filter((each) => !recorded.has(fileOf(each)));
  if (!checking) {
    await appendFile(
      FILE,
      unrecorded.map((each) => `${checksumsOf(each.sql)[0]}  ${fileOf(each)}\n`).join(''),
    );
    return 0;
  }
  for (const each of unrecorded)
    console.error(`${fileOf(each)} has no sum yet: run "npm run migrate:sums" once it is as it will stay.`);
  return unrecorded.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
