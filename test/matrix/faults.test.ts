import { parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { newAccountService } from '../../src/auth/account-service.ts';
import { viewerOfSignIn } from '../../src/auth/bearer.ts';
import { memoryRateLimiter } from '../../src/auth/rate-limiter.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { finishErasures } from '../../src/domain/personal-data/erase-person.ts';
import { graphContext } from '../../src/graph/engine/context.ts';
import { runOperation } from '../../src/graph/engine/run.ts';
import { schema } from '../../src/graph/schema/schema.ts';
import { chainFault } from '../support/chain.ts';
import { Faults, faultyContext } from '../support/faults.ts';
import { type Fixture, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';
import { MUTATIONS } from './mutation-facts.ts';
import { mutationText } from './requests.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

let s: Fixture;
let snapshot: Snapshot;
let ctx: Context;
let sessionCtx: Context;

beforeAll(async () => {
  s = await sharedFixture();
  snapshot = await takeSnapshot(s.db);
  ctx = await s.a.owner.context();
  const viewer = (await viewerOfSignIn(s.db, s.a.session)) ?? ctx.viewer;
  // Every attempt is a request of its own hour.
  const rateLimiter = memoryRateLimiter({ window: 1, maxKeys: 1 });
  sessionCtx = { ...ctx, viewer, accounts: newAccountService({ db: s.db, rateLimiter, sendsMail: true }) };
}, SETUP_TIMEOUT_MS);

/** Greater than the number of calls of any command. */
const NEVER = 1_000_000;

/** Runs a mutation as the owner while call number `at` to the database or storage fails, and reports the changed tables. */
async function attempt(name: string, at: number, when: 'before' | 'after') {
  const faults = new Faults(at, when);
  const [least, input] = MUTATIONS[name] ?? ['admin', () => ({})];
  const { errors } = await runOperation({
    schema,
    document: parse(mutationText(name)),
    variableValues: { input: input(s.a.at, s.a) },
    contextValue: graphContext(faultyContext(least === 'session' ? sessionCtx : ctx, faults)),
  });
  // An erasure commits in steps, and the next sweep finishes one that has begun.
  if (name === 'eraseAccount') await finishErasures(ctx);
  const changed = await snapshot.changed();
  const hasEvents = changed.includes('events') || changed.includes('event_heads');
  const chain = hasEvents ? await chainFault(s.db, s.a.at.organizationId as string) : undefined;
  if (changed.length > 0) await snapshot.restore();
  return { failed: errors !== undefined, faults, chain, changed };
}

/** Calls of one command that fail in a run; FAULT_CALLS=1000 fails each of them. */
const MAX_CALLS = Number(process.env.FAULT_CALLS ?? 5);

/** The first and the last call, and others at random: those of all commands together cover every kind of call in each run. */
function callsToFail(count: number): number[] {
  const calls = Array.from({ length: count }, (_, index) => index + 1);
  if (count <= MAX_CALLS) return calls;
  const between = calls.slice(1, -1).sort(() => Math.random() - 0.5);
  return [1, count, ...between.slice(0, MAX_CALLS - 2)];
}

describe.each(Object.keys(MUTATIONS))('mutation %s', (name) => {
  it.each([
    'before',
    'after',
  ] as const)('commits completely or not at all when any call fails %s its effect', async (when) => {
    const whole = await attempt(name, NEVER, when);
    expect([whole.failed, whole.chain]).toEqual([false, undefined]);
    expect(whole.changed).not.toEqual([]);
    for (const at of callsToFail(whole.faults.count)) {
      const { failed, chain, changed, faults } = await attempt(name, at, when);
      const hit = `${at} of ${whole.faults.count}: ${faults.names[at - 1]}`;
      expect([hit, chain]).toEqual([hit, undefined]);
      if (!failed || changed.length > 0) expect([hit, changed]).toEqual([hit, whole.changed]);
    }
  }, 300_000);
});
