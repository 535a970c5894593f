import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Storage } from '../domain/kernel/context.ts';

export interface AdminContext {
  db: Database;
  storage: Storage;
  limits: Config['limits'];
}

/** How a command is called. */
export interface CommandSpec {
  /** What it does, for the list of commands. */
  description: string;
  /** Names of `--option value`. */
  options: string[];
  optional?: string[];
  /** Names of what stands behind the command; the last `spare` of them may be left out. */
  operands?: string[];
  optionalOperands?: number;
}

export interface Command extends CommandSpec {
  /** Gives what to print. */
  run: (site: AdminContext, values: Record<string, string>) => Promise<string>;
}

/** Needs no database. */
export interface OfflineCommand extends CommandSpec {
  run: (values: Record<string, string>) => Promise<string>;
}
