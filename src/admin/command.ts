import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Storage } from '../domain/kernel/context.ts';
import type { TimeStamper } from '../timestamp/authority.ts';

/** What commands work on. */
export interface AdminContext {
  db: Database;
  storage: Storage;
  limits: Config['limits'];
  /** Undefined without an authority. */
  timeStamper?: TimeStamper | undefined;
  /** Of ADMIN_PASSWORD, for the account of a command. Not an option, as `ps` shows those. */
  password?: string;
}

/** The syntax of a command. */
export interface CommandSpec {
  /** Shown in the list of commands. */
  description: string;
  /** Names of the options, each with a value (`--name value`). */
  options: string[];
  optional?: string[];
  /** Names of options without a value; their value is `true` if they are given. */
  flags?: string[];
  /** Names of the operands; the last `optionalOperands` may be omitted. */
  operands?: string[];
  optionalOperands?: number;
}

/** A command on the configured database. */
export interface Command extends CommandSpec {
  /** Returns the text to print. */
  run: (context: AdminContext, values: Record<string, string>) => Promise<string>;
}

/** A command that needs no database. */
export interface OfflineCommand extends CommandSpec {
  run: (values: Record<string, string>) => Promise<string>;
}
