import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort, start } from './processes.ts';

/** In ms, how often a test file checks whether another one has created the workspace. */
const CHECK = 100;

/** Copies the run's demo workspace to `folder`, a DATA_DIR. The first test file that needs it has a server create it. */
export async function copyDemo(folder: string): Promise<void> {
  const shared = process.env.TEST_DEMO_FOLDER as string;
  const [data, lock] = [join(shared, 'data'), join(shared, 'lock')];
  while (!existsSync(data)) {
    if (await locks(lock)) await createDemo(data).finally(() => rm(lock, { recursive: true }));
    else await setTimeout(CHECK);
  }
  await cp(data, folder, { recursive: true });
}

const locks = (lock: string): Promise<boolean> =>
  mkdir(lock).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );

/** Renames the folder when it is complete. */
async function createDemo(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const temporary = await mkdtemp(`${folder}-`);
  const env = { DATABASE_URL: '', PUBLIC_URL: '', WEBHOOK_ALLOW_PRIVATE: 'true', DATA_DIR: temporary };
  const server = await start(await freePort(), env);
  await server.stop();
  await rename(temporary, folder);
}
