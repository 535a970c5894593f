import { parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/domain/kernel/context.ts';
import { graphContext } from '../../src/graph/engine/context.ts';
import { runOperation } from '../../src/graph/engine/run.ts';
import { schema } from '../../src/graph/schema/schema.ts';
import { chainFault } from '../support/chain.ts';
import { Faults, faultyContext } from '../support/faults.ts';
import { mutationText } from './asking.ts';
import { type Kept, keep } from './kept.ts';
import { MUTATIONS } from './mutation-facts.ts';
import { type Scene, SETTING_UP, scene } from './scene.ts';

let s: Scene;
let kept: Kept;
let ctx: Context;

beforeAll(async () => {
  s = await scene();
  kept = await keep(s.db);
  ctx = await s.a.owner.context();
}, SETTING_UP);

/** Beyond the last call of any command. */
const NEVER = 1_000_000;

/** What the owner does, when one call to the database or the storage fails; and the tables that are then not as they were. */
async function attempt(name: string, at: number, when: 'before' | 'after') {
  const faults = new Faults(at, when);
  const [, input] = MUTATIONS[name] ?? ['admin', () => ({})];
  const { errors } = await runOperation({
    schema,
    document: parse(mutationText(name)),
    variableValues: { input: input(s.a.at, s.a) },
    contextValue: graphContext(faultyContext(ctx, faults)),
  });
  const changed = await kept.changed();
  const told = changed.includes('events') || changed.includes('event_heads');
  const chain = told ? await chainFault(s.db, s.a.at.organizationId as string) : undefined;
  if (changed.length > 0) await kept.restore();
  return { failed: errors !== undefined, faults, chain, changed };
}

describe.each(Object.keys(MUTATIONS))('mutation %s', (name) => {
  it.each([
    'before',
    'after',
  ] as const)('leaves all or nothing, wherever a call fails %s it did its work', async (when) => {
    const whole = await attempt(name, NEVER, when);
    expect([whole.failed, whole.chain]).toEqual([false, undefined]);
    expect(whole.changed).not.toEqual([]);
    for (let at = 1; at <= whole.faults.count; at++) {
      const { failed, chain, changed, faults } = await attempt(name, at, when);
      const hit = `${at} of ${whole.faults.count}: ${faults.names[at - 1]}`;
      expect([hit, chain]).toEqual([hit, undefined]);
      if (!failed || changed.length > 0) expect([hit, changed]).toEqual([hit, whole.changed]);
    }
  }, 300_000);
});
