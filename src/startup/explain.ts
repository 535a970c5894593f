import { ConfigError } from '../config/config.ts';
import { DatabaseUnusable } from '../db/database.ts';
import { ForeignStore } from '../domain/maintenance/store-owner.ts';
import { SealUnusable } from '../pdf/seal/certificate.ts';
import { StorageUnusable } from './storage.ts';

/** One line for a failure that the operator can fix; any other error unchanged, to be printed with its stack. */
export function explain(error: unknown): unknown {
  if ([ConfigError, DatabaseUnusable, ForeignStore, StorageUnusable].some((kind) => error instanceof kind))
    return (error as Error).message;
  if (error instanceof SealUnusable) return `Documents cannot be sealed: ${error.message}.`;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop the process that listens there, or set PORT to another number.`;
  if (code === 'EACCES' && port)
    return `Port ${port} is not allowed for this user: set PORT to a number above 1023.`;
  return error;
}
