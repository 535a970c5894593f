import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { lockFolder } from '../db/lock.ts';
import { vault } from '../lib/seal.ts';

/**
 * Opens and migrates the configured database: PostgreSQL, or the embedded one in `dataDir`. Only its own driver is
 * loaded. `onError` receives errors outside of any statement. Throws DatabaseUnusable.
 */
export async function openDatabase(
  config: Config,
  print: (line: string) => void,
  onError: (error: Error) => void,
): Promise<Database> {
  const keyVault = config.encryptionKeys && vault(config.encryptionKeys);
  if (config.databaseUrl) {
    print(`Opening PostgreSQL at ${new URL(config.databaseUrl).host} …`);
    const { openPostgres } = await import('../db/postgres/postgres.ts');
    return openPostgres({
      url: config.databaseUrl,
      pool: config.databasePool,
      connectPatience: config.databaseWait,
      statementTimeout: config.limits.request,
      keyVault,
      onError,
    });
  }
  print(`Opening the embedded database in ${config.dataDir} …`);
  await lockFolder(config.dataDir);
  const { openPglite } = await import('../db/pglite/pglite.ts');
  return openPglite({
    folder: `${config.dataDir}/pg`,
    sync: config.embeddedSync,
    statementTimeout: config.limits.request,
    keyVault,
    onError,
  });
}
