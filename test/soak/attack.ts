import { BODIES, DOCUMENTS } from '../graph/operations/attacks.ts';
import { freePort } from '../support/servers/processes.ts';
import { askGraph, LIGHT, quantile, round, sleep, steadyCalls } from './calls.ts';
import { newSite } from './site.ts';

/** A body above the limit is left out: its connection is closed, which may hide the answer from its sender. */
const ATTACKS = [
  ...DOCUMENTS.map(([what, query]) => ({ what, body: JSON.stringify({ query }) })),
  ...BODIES.filter(([, , status]) => status !== 413).map(([what, body]) => ({ what, body })),
];

/**
 * Each attack on its own, then all of them ten times a second beside a light load. Gives the median of each that takes
 * longest, in milliseconds, and how many times as long the load waits (its 99th hundredth).
 */
export async function attackGraph(
  { seconds, program }: { seconds: number; program?: string[] },
  server: string,
) {
  const site = await newSite(server);
  const running = await site.serve(await freePort(), {}, program);
  const send = async (body: string) => {
    const answer = await fetch(`${running.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' },
      body,
    });
    await answer.arrayBuffer();
    if (answer.status >= 500) throw new Error(`status ${answer.status}`);
  };
  const light = () => steadyCalls(() => askGraph(running.url, site.key, LIGHT), 20);
  try {
    const alone: { what: string; ms: number }[] = [];
    for (const { what, body } of ATTACKS) {
      const waits: number[] = [];
      for (let turn = 0; turn < 15; turn++) {
        const begin = performance.now();
        await send(body);
        waits.push(performance.now() - begin);
      }
      alone.push({ what, ms: round(quantile(waits, 0.5)) });
    }
    const before = light();
    await sleep(seconds * 1_000);
    const calm = before.stop();
    const during = light();
    let turn = 0;
    const attacks = steadyCalls(() => send(ATTACKS[turn++ % ATTACKS.length]?.body as string), 100);
    await sleep(seconds * 1_000);
    const [busy, attacked] = [during.stop(), attacks.stop()];
    return {
      attacks: ATTACKS.length,
      slowest: alone.sort((a, b) => b.ms - a.ms).slice(0, 6),
      ratioOfP99: round(quantile(busy.waits, 0.99) / quantile(calm.waits, 0.99)),
      ratioOfP50: round(quantile(busy.waits, 0.5) / quantile(calm.waits, 0.5)),
      failed: calm.failed + busy.failed + attacked.failed,
    };
  } finally {
    await running.stop();
    await site.remove();
  }
}
