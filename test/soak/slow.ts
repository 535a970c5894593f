import { spawn } from 'node:child_process';
import { freePort } from '../support/servers/processes.ts';
import { askGraph, LIGHT, quantile, round, sleep, steadyCalls } from './calls.ts';
import { newSite } from './site.ts';

/** What slowhttptest does: slow headers, slow bodies, slow readers. It has to be installed. */
const KINDS: Record<string, string[]> = {
  headers: ['-H', '-i', '5', '-x', '24', '-t', 'GET', '-u', '/graphql'],
  bodies: ['-B', '-i', '5', '-s', '8192', '-x', '10', '-t', 'POST', '-u', '/oauth/token'],
  readers: ['-X', '-w', '1', '-y', '16', '-n', '5', '-z', '8', '-k', '3', '-u', '/api/v1/openapi.json'],
};

const METRICS_TOKEN = 'for-the-soak-alone';

/** Milliseconds in which all of them are opened; the readers ask for 260 MB then. */
const OPENING = 3_000;

/** Files and connections that the process has open. */
async function openIn(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return Number(/^process_open_fds (\d+)/m.exec(await answer.text())?.[1]);
}

/**
 * So many slow connections beside a light load. Gives for each kind how many the process open at most, how many in the end,
 * after how many seconds (60 at most), and how many times as long the load waited (its median and 99th hundredth): while
 * they were opened, and from then on.
 */
export async function slowClients(
  { connections, program }: { connections: number; program?: string[] },
  server: string,
): Promise<unknown> {
  const site = await newSite(server);
  const running = await site.serve(await freePort(), { METRICS_TOKEN }, program);
  const light = () => steadyCalls(() => askGraph(running.url, site.key, LIGHT), 20);
  const result: Record<string, unknown> = {};
  try {
    const before = light();
    await sleep(10_000);
    const calm = before.stop();
    const times = ({ waits }: { waits: number[] }, part: number) =>
      round(quantile(waits, part) / quantile(calm.waits, part));
    for (const [kind, options] of Object.entries(KINDS)) {
      const during = light();
      const base = await openIn(running.url);
      const amount = ['-c', String(connections), '-r', String(connections), '-l', '120', '-p', '3'];
      const address = running.url + options.at(-1);
      const begin = performance.now();
      const attack = spawn('slowhttptest', [...options.slice(0, -1), address, ...amount], {
        stdio: 'ignore',
      });
      await sleep(OPENING);
      const opening = during.take();
      let [most, open, seconds] = [0, 0, 0];
      do {
        await sleep(500);
        open = (await openIn(running.url)) - base;
        most = Math.max(most, open);
        seconds = round((performance.now() - begin) / 1_000);
        // The light load holds some as well.
      } while (seconds < 60 && (most < connections / 2 || open > connections / 10));
      attack.kill();
      const busy = during.stop();
      result[kind] = {
        most,
        open,
        seconds,
        ratioOfP99: times(busy, 0.99),
        ratioOfP50: times(busy, 0.5),
        opening: { ratioOfP99: times(opening, 0.99), ratioOfP50: times(opening, 0.5) },
        failed: opening.failed + busy.failed,
      };
    }
    return result;
  } finally {
    await running.stop();
    await site.remove();
  }
}
