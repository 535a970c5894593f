import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPglite } from '../../src/db/pglite/pglite.ts';
import { createFolders } from '../../src/domain/folders/folder-create.ts';
import { newWorld } from '../../test/support/world.ts';
import { median } from '../rounds.ts';

/**
 * What the syncs of the embedded database cost: `npx tsx bench/embedded/sync.ts`. Creates folders, a command each, with
 * EMBEDDED_SYNC on and off in turn, and prints commands a second and their ratio for several at once.
 */
const ROUNDS = 3;
const COMMANDS = 150;
const AT_ONCE = [1, 8, 32];

async function openSite(folder: string, sync: boolean) {
  const db = await openPglite({ folder: join(folder, sync ? 'on' : 'off'), sync });
  const { project, owner } = await newWorld(db);
  return { db, projectId: project.id, ctx: await owner.context() };
}

async function perSecond({ ctx, projectId }: Awaited<ReturnType<typeof openSite>>, atOnce: number) {
  let left = COMMANDS;
  const commands = async () => {
    while (left-- > 0) await createFolders(ctx, { projectId, folders: [{ name: `Folder ${left}` }] });
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: atOnce }, commands));
  return (COMMANDS / (performance.now() - begin)) * 1_000;
}

const folder = await mkdtemp(join(tmpdir(), 'docgraph-embedded-sync-'));
const [on, off] = [await openSite(folder, true), await openSite(folder, false)];
try {
  for (const atOnce of AT_ONCE) {
    const figures: { on: number; off: number }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      figures.push({ on: await perSecond(on, atOnce), off: await perSecond(off, atOnce) });
    const [withSync, without] = [
      median(figures.map((each) => each.on)),
      median(figures.map((each) => each.off)),
    ];
    const ratio = median(figures.map((each) => each.on / each.off));
    console.log(
      `${atOnce} at once: ${withSync.toFixed(0)}/s with syncs, ${without.toFixed(0)}/s without, ratio ${ratio.toFixed(2)}`,
    );
  }
} finally {
  await on.db.close();
  await off.db.close();
  await rm(folder, { recursive: true });
}
