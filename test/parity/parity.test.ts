import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/graph/schema/schema.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import type { Route } from '../../src/rest/wire/route.ts';
import { HERE, runStep, type Step, steps, throughGraph } from './command.ts';
import { COMMANDS, SETUP_COMMANDS } from './commands/table.ts';
import { ONLY_GRAPHQL, ONLY_REST } from './one-api-only.ts';
import { QUERIES, READ_ROUTES, readGraph, readRest } from './reads.ts';
import { maskedRows } from './stored-rows.ts';
import { At, newTwins, type Role, type Twins } from './twin.ts';

const SEED = 20_261_121;

const atOf = ({ rest, graph }: Twins, location = HERE) => ({
  rest: new At(rest, graph, location),
  graph: new At(graph, rest, location),
});

/** Runs a step in both twins, and compares the outcomes and the stored rows. */
async function compare(twins: Twins, step: Step, index: number, log: string[]): Promise<string> {
  const before = maskedRows(twins.graph.rows, twins.graph.names);
  const { rest, graph } = await runStep(twins, step, atOf(twins, step.project));
  const { by, command, args, project } = step;
  const description = `${by}: ${command.mutation} ${JSON.stringify(args).slice(0, 300)} ${JSON.stringify(project)}`;
  log.push(`${index} ${description} -> ${rest === graph ? rest : `REST ${rest}, GraphQL ${graph}`}`);
  const trace = log.join('\n');
  expect(rest, trace).toBe(graph);
  expect(graph, trace).not.toMatch(/INTERNAL|status/);
  const stored = {
    rest: maskedRows(await twins.rest.look(), twins.rest.names),
    graph: maskedRows(await twins.graph.look(), twins.graph.names),
  };
  expect(stored.rest, trace).toEqual(stored.graph);
  if (graph !== 'ok') expect(stored.graph, trace).toEqual(before);
  else await runAfter(twins, step);
  return graph as string;
}

async function runAfter(twins: Twins, { command: { after } }: Step) {
  for (const twin of after ? [twins.rest, twins.graph] : []) {
    await after?.(twin);
    await twin.look();
  }
}

/** Twins with objects of every type, created by the same commands. */
async function populatedTwins(): Promise<Twins> {
  const twins = await newTwins();
  for (const command of SETUP_COMMANDS)
    for (const [twin, other] of [
      [twins.rest, twins.graph],
      [twins.graph, twins.rest],
    ] as const) {
      const { owner } = twin.people;
      const outcome = await throughGraph(owner, command, command.sample, new At(twin, other, HERE));
      if (outcome !== 'ok') throw new Error(`${command.mutation}: ${outcome}`);
      await twin.look();
      await command.after?.(twin);
    }
  return twins;
}

/** Compares one read of each API after a step, in rotation, since all of them would take far longer. */
const compareTurn = (twins: Twins, by: Role, index: number, trace: string) =>
  compareReads(
    twins,
    by,
    trace,
    [QUERIES[index % QUERIES.length] as string],
    [READ_ROUTES[index % READ_ROUTES.length] as Route],
  );

async function compareReads(twins: Twins, by: Role, trace: string, queries: string[], which: Route[]) {
  const at = atOf(twins);
  expect(await readGraph(twins.rest, by, at.rest, queries), trace).toEqual(
    await readGraph(twins.graph, by, at.graph, queries),
  );
  expect(await readRest(twins.rest, by, at.rest, which), trace).toEqual(
    await readRest(twins.graph, by, at.graph, which),
  );
}

describe('REST v1 and GraphQL', () => {
  it('are compared in every mutation that both have; mutations of only one API are listed with a reason', () => {
    const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
    const both = COMMANDS.filter(({ rest }) => rest);
    expect(
      [...new Set([...both.map(({ mutation }) => mutation), ...Object.keys(ONLY_GRAPHQL)])].sort(),
    ).toEqual(mutations.sort());
    expect(both.filter(({ mutation }) => mutation in ONLY_GRAPHQL)).toEqual([]);
    const changing = restRoutes.filter(({ method, operations }) => method !== 'GET' || operations.writes);
    const named = new Set([...both.map(({ row }) => row as string), ...Object.keys(ONLY_REST)]);
    expect(changing.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
    expect([...named].filter((id) => !restRoutes.some((row) => row.id === id))).toEqual([]);
  });

  it('have the same effects for every command in sequence, and the same reads for every role', async () => {
    const twins = await newTwins();
    const log: string[] = [];
    const refused: string[] = [];
    for (const [index, command] of COMMANDS.entries()) {
      const step: Step = { by: command.sampleBy ?? 'owner', project: HERE, command, args: command.sample };
      if ((await compare(twins, step, index, log)) !== 'ok') refused.push(command.mutation);
    }
    expect(refused).toEqual([]);
    for (const part of ['owner', 'guest'] as const)
      await compareReads(twins, part, log.join('\n'), QUERIES, READ_ROUTES);
  }, 300_000);

  it.each([
    ['fixed seed', SEED],
    ['random seed', Date.now() % 2 ** 31],
  ])(
    'have the same effects for random commands by random people in random order: %s, %d',
    async (_, seed) => {
      const property = fc.asyncProperty(steps(COMMANDS, 16), async (sequence) => {
        const twins = await populatedTwins();
        const log: string[] = [];
        for (const [index, step] of sequence.entries()) {
          await compare(twins, step, index, log);
          await compareTurn(twins, step.by, index, log.join('\n'));
        }
        await compareReads(twins, 'owner', log.join('\n'), QUERIES, []);
      });
      await fc.assert(property, { seed, numRuns: 1, endOnFailure: true });
    },
    300_000,
  );
});
