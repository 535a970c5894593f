import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { openDatabase } from '../startup/database.ts';
import { explain } from '../startup/explain.ts';
import { openTimeStamper } from '../startup/options.ts';
import { openStorage } from '../startup/storage.ts';
import { OFFLINE_COMMANDS } from './audit.ts';
import type { AdminContext, CommandSpec } from './command.ts';
import { COMMANDS } from './commands.ts';
import { UsageError } from './usage.ts';

/** `npm run admin -- <command> …`, on the configured database if the command needs one. */
async function run([name = '', ...rest]: string[]): Promise<void> {
  const [command, offline] = [ownValue(COMMANDS, name), ownValue(OFFLINE_COMMANDS, name)];
  if (offline) console.log(await offline.run(valuesOf(name, offline, rest)));
  else if (!command) throw new UsageError();
  else {
    const values = valuesOf(name, command, rest);
    console.log(await withContext((context) => command.run(context, values)));
  }
}

const ownValue = <Value>(record: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

function valuesOf(name: string, command: CommandSpec, args: string[]): Record<string, string> {
  const { options, optional, flags = [], operands = [], optionalOperands = 0 } = command;
  const parsed = parseArgs({
    args,
    options: Object.fromEntries([
      ...options.map((option) => [option, { type: 'string' as const }]),
      ...flags.map((flag) => [flag, { type: 'boolean' as const }]),
    ]),
    allowPositionals: operands.length > 0,
  });
  const values: Record<string, unknown> = parsed.values;
  const { positionals } = parsed;
  const missingOption = options.find((option) => !values[option] && !optional?.includes(option));
  if (missingOption) throw new UsageError(`${name} needs --${missingOption}.`);
  if (positionals.length > operands.length) throw new UsageError(`${name} takes no ${positionals.at(-1)}.`);
  const missingOperand = operands[positionals.length];
  if (missingOperand && positionals.length < operands.length - optionalOperands)
    throw new UsageError(`${name} needs ${missingOperand}.`);
  const named = positionals.map((value, index) => [operands[index], value]);
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries([...texts, ...named]);
}

async function withContext(work: (context: AdminContext) => Promise<string>): Promise<string> {
  const { ADMIN_PASSWORD: password } = process.env;
  const config = readConfig(process.env);
  const db = await openDatabase(
    config,
    () => {},
    () => {},
  );
  try {
    const [storage, timeStamper] = [await openStorage(config, db), await openTimeStamper(config)];
    return await work({ db, storage, limits: config.limits, timeStamper, password });
  } finally {
    await db.close();
  }
}

run(process.argv.slice(2)).catch((error) => {
  const isUserError = error instanceof UsageError || error instanceof DomainError;
  const isParseError = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isUserError || isParseError ? error.message : explain(error));
  process.exit(1);
});
