import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Storage } from '../domain/kernel/context.ts';

export interface Site {
  db: Database;
  storage: Storage;
  limits: Config['limits'];
}

/** How a command is called. */
export interface Described {
  /** What it does, for the list of commands. */
  about: string;
  /** Names of `--option value`. */
  options: string[];
  optional?: string[];
  /** Names of what stands behind the command; the last `spare` of them may be left out. */
  operands?: string[];
  spare?: number;
}

export interface Command extends Described {
  /** Gives what to print. */
  run: (site: Site, values: Record<string, string>) => Promise<string>;
}

/** Needs no database. */
export interface OfflineCommand extends Described {
  run: (values: Record<string, string>) => Promise<string>;
}
