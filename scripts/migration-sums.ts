import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checksumsOf, type Migration, readMigrations } from '../src/db/migrate/migrate.ts';

const FOLDER = 'prisma/migrations';
/** As `sha256sum` writes it, and reads it with `--check` in that folder. */
const FILE = join(FOLDER, 'SHA256SUMS');
const USAGE = `usage: tsx scripts/migration-sums.ts            writes the sums of new migrations
       tsx scripts/migration-sums.ts --check`;

const fileOf = ({ name }: Migration): string => `${name}/migration.sql`;

/** The sum of each file that has one. */
async function sumsKept(): Promise<Map<string, string>> {
  const text = existsSync(FILE) ? await readFile(FILE, 'utf8') : '';
  const lines = text.split(/\r?\n/).filter(Boolean);
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

/** Those that databases would refuse to start with, if they applied them before: no test on a new database can notice. */
function changed(migrations: Migration[], kept: Map<string, string>): string[] {
  const texts = new Map(migrations.map((each) => [fileOf(each), each.sql]));
  return [...kept]
    .filter(([file, sum]) => !checksumsOf(texts.get(file) ?? '').includes(sum))
    .map(([file]) => file);
}

async function main(args: string[]): Promise<number> {
  const checking = args[0] === '--check';
  if (args.length > (checking ? 1 : 0)) {
    console.error(USAGE);
    return 1;
  }
  const [migrations, kept] = await Promise.all([readMigrations(FOLDER), sumsKept()]);
  const others = changed(migrations, kept);
  for (const file of others)
    console.error(
      `${file} is not what it was: databases that applied it would be refused. Restore it, and write a new one.`,
    );
  if (others.length > 0) return 1;
  const news = migrations.filter((each) => !kept.has(fileOf(each)));
  if (!checking) {
    await appendFile(FILE, news.map((each) => `${checksumsOf(each.sql)[0]}  ${fileOf(each)}\n`).join(''));
    return 0;
  }
  for (const each of news)
    console.error(`${fileOf(each)} has no sum yet: run "npm run migrate:sums" once it is as it will stay.`);
  return news.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
