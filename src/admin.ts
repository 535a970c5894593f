import { parseArgs } from 'node:util';
import { COMMANDS, Usage } from './admin-commands.ts';
import { readConfig } from './config.ts';
import { DomainError } from './domain/errors.ts';
import { explain, openDatabase, openStorage } from './open.ts';

/** `npm run admin -- <command> --option value …`, on the database that the environment names. */
async function run([name, ...rest]: string[]): Promise<void> {
  const command = COMMANDS[name ?? ''];
  if (!command) throw new Usage();
  const { values } = parseArgs({
    args: rest,
    options: Object.fromEntries(command.options.map((option) => [option, { type: 'string' as const }])),
  });
  const missing = command.options.find((option) => !values[option] && !command.optional?.includes(option));
  if (missing) throw new Usage(`${name} needs --${missing}.`);
  const config = readConfig(process.env);
  const db = await openDatabase(
    config,
    () => {},
    () => {},
  );
  try {
    const site = { db, storage: await openStorage(config, db), limits: config.limits };
    console.log(await command.run(site, values as Record<string, string>));
  } finally {
    await db.close();
  }
}

run(process.argv.slice(2)).catch((error) => {
  const told = error instanceof Usage || error instanceof DomainError;
  const misused = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(told || misused ? error.message : explain(error));
  process.exit(1);
});
