import { newId } from '../../src/lib/id.ts';
import { newSecret } from '../../src/lib/secret.ts';
import { freePort } from '../support/servers/processes.ts';
import { newWorld } from '../support/world.ts';
import { quantile, round } from './calls.ts';
import { newSite } from './site.ts';

/** Pairs that nobody may tell apart by how long they take: asked in turn; gives the ratio of their medians. */
export async function compareTimes(
  { samples, program }: { samples: number; program?: string[] },
  server: string,
) {
  const site = await newSite(server);
  const foreign = await site.look(async (db) => {
    const { project, owner } = await newWorld(db);
    return { projectId: project.id, key: owner.key };
  });
  const running = await site.serve(await freePort(), {}, program);
  const take = async (key: string, query: string, variables?: object) => {
    const begin = performance.now();
    const answer = await fetch(`${running.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    await answer.arrayBuffer();
    return performance.now() - begin;
  };
  // One text for all ids: what was asked before need not be read again.
  const project = (id: string) => take(site.key, 'query ($id: ID!) { project(id: $id) { name } }', { id });
  const wrong = () => foreign.key.slice(0, -8) + newSecret('dgk_').slice(-8);
  const pairs: Record<string, [() => Promise<number>, () => Promise<number>]> = {
    'unknown id : foreign id': [() => project(newId('Project')), () => project(foreign.projectId)],
    'unknown key : a key with a wrong end': [
      () => take(newSecret('dgk_'), '{ __typename }'),
      () => take(wrong(), '{ __typename }'),
    ],
  };
  const result: Record<string, number> = {};
  try {
    for (const [name, [one, other]] of Object.entries(pairs)) {
      for (let turn = 0; turn < 200; turn++) await Promise.all([one(), other()]);
      const [first, second]: [number[], number[]] = [[], []];
      for (let turn = 0; turn < samples; turn++) {
        first.push(await one());
        second.push(await other());
      }
      result[name] = round(quantile(first, 0.5) / quantile(second, 0.5));
    }
    return result;
  } finally {
    await running.stop();
    await site.remove();
  }
}
