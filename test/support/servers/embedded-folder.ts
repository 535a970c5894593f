import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPglite } from '../../../src/db/pglite/pglite.ts';
import { newWorld } from '../world.ts';

/** Fills a DATA_DIR with a copy of the run's template database and an organization, so that its server creates no demo. */
export async function newDataFolder(folder: string): ReturnType<typeof newWorld> {
  await mkdir(folder, { recursive: true });
  const db = await openPglite({ folder: join(folder, 'pg'), dump: process.env.TEST_DATABASE_DUMP });
  const world = await newWorld(db);
  await db.close();
  return world;
}
