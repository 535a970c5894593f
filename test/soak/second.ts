import { freePort } from '../support/servers/processes.ts';
import { findLost, startLoad } from './load.ts';
import { newSite } from './site.ts';

const AT_ONCE = 2;

/** Starts a second process on the folder of the embedded database under writes; gives how often that was refused. */
export async function openAgain({ attempts, program }: { attempts: number; program?: string[] }) {
  const site = await newSite();
  const running = await site.serve(await freePort(), {}, program);
  const load = startLoad(() => ({ ...site, url: running.url }), { writers: 2 });
  const isRefused = async () => {
    const started = site.serve(await freePort(), {}, program);
    return started.then(
      (second) => second.end('SIGKILL').then(() => false),
      (error: Error) => /ended with 1:[\s\S]*is in use by another process/.test(error.message),
    );
  };
  try {
    let refused = 0;
    for (let turn = 0; turn < attempts; turn += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, isRefused));
      refused += answers.filter(Boolean).length;
    }
    await load.stop();
    await running.stop();
    const left = await site.look((db) => findLost(db, load.acked));
    return {
      attempts,
      refused,
      acked: load.acked.size,
      ...left,
      statuses: Object.fromEntries(load.statuses),
    };
  } finally {
    await load.stop();
    await running.stop();
    await site.remove();
  }
}
