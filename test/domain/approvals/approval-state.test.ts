import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApprovalAction,
  type ApprovalProgress,
  runState,
  transition,
} from '../../../src/domain/approvals/approval-state.ts';

type State = ApprovalProgress['state'];

const STATES: State[] = ['PENDING', 'APPROVED', 'DECLINED', 'DENIED'];
const VERBS = ['APPROVE', 'DECLINE', 'DENY', 'DELEGATE'] as const;
const RULES = ['ONE', 'ALL'] as const;

const action = (verb: (typeof VERBS)[number], by: string, to = 'new'): ApprovalAction =>
  verb === 'DELEGATE' ? { verb, by, to } : { verb, by };

const asking = (rule: ApprovalProgress['rule'], state: State, ...said: State[]): ApprovalProgress => ({
  rule,
  state,
  approvers: said.map((each, index) => ({ userId: 'abcdef'[index] as string, state: each })),
});

const summary = (standing: ApprovalProgress | undefined) =>
  standing &&
  `${standing.state}: ${standing.approvers.map((each) => `${each.userId} ${each.state}`).join(', ')}`;

describe('an approval', () => {
  it.each([
    // What `a` does, where `a` and what the others said stand before; what becomes of it.
    ['ONE', ['PENDING', 'PENDING'], 'APPROVE', 'APPROVED: a APPROVED, b PENDING'],
    ['ONE', ['PENDING', 'PENDING'], 'DECLINE', 'PENDING: a DECLINED, b PENDING'],
    ['ONE', ['PENDING', 'PENDING'], 'DENY', 'DENIED: a DENIED, b PENDING'],
    ['ONE', ['PENDING', 'PENDING'], 'DELEGATE', 'PENDING: new PENDING, b PENDING'],
    ['ONE', ['PENDING', 'DECLINED'], 'APPROVE', 'APPROVED: a APPROVED, b DECLINED'],
    ['ONE', ['PENDING', 'DECLINED'], 'DECLINE', 'DECLINED: a DECLINED, b DECLINED'],
    ['ONE', ['PENDING', 'DECLINED'], 'DENY', 'DENIED: a DENIED, b DECLINED'],
    ['ONE', ['PENDING', 'DECLINED'], 'DELEGATE', 'PENDING: new PENDING, b DECLINED'],
    ['ONE', ['PENDING'], 'APPROVE', 'APPROVED: a APPROVED'],
    ['ONE', ['PENDING'], 'DECLINE', 'DECLINED: a DECLINED'],
    ['ALL', ['PENDING', 'PENDING'], 'APPROVE', 'PENDING: a APPROVED, b PENDING'],
    ['ALL', ['PENDING', 'PENDING'], 'DECLINE', 'PENDING: a DECLINED, b PENDING'],
    ['ALL', ['PENDING', 'PENDING'], 'DENY', 'DENIED: a DENIED, b PENDING'],
    ['ALL', ['PENDING', 'PENDING'], 'DELEGATE', 'PENDING: new PENDING, b PENDING'],
    ['ALL', ['PENDING', 'APPROVED'], 'APPROVE', 'APPROVED: a APPROVED, b APPROVED'],
    ['ALL', ['PENDING', 'APPROVED'], 'DECLINE', 'APPROVED: a DECLINED, b APPROVED'],
    ['ALL', ['PENDING', 'APPROVED'], 'DENY', 'DENIED: a DENIED, b APPROVED'],
    ['ALL', ['PENDING', 'DECLINED'], 'APPROVE', 'APPROVED: a APPROVED, b DECLINED'],
    ['ALL', ['PENDING', 'DECLINED'], 'DECLINE', 'DECLINED: a DECLINED, b DECLINED'],
    ['ALL', ['PENDING', 'DECLINED'], 'DELEGATE', 'PENDING: new PENDING, b DECLINED'],
  ] as const)('that asks %s, with %j, becomes by %s of the first', (rule, said, verb, expected) => {
    expect(summary(transition(asking(rule, 'PENDING', ...said), action(verb, 'a')))).toBe(expected);
  });

  const pairs = RULES.flatMap((rule) =>
    STATES.flatMap((state) => VERBS.map((verb) => [rule, state, verb] as const)),
  );

  it.each(
    pairs.filter(([, state]) => state !== 'PENDING'),
  )('that asks %s and is %s takes no %s, not from one who said nothing, nor from one who did', (rule, state, verb) => {
    const standing = asking(rule, state, 'PENDING', state);
    expect([
      transition(standing, action(verb, 'a')),
      transition(standing, action(verb, 'b')),
      transition(standing, action(verb, 'stranger')),
    ]).toEqual([undefined, undefined, undefined]);
  });

  const spoken = RULES.flatMap((rule) =>
    (['APPROVED', 'DECLINED'] as const).flatMap((said) => VERBS.map((verb) => [rule, said, verb] as const)),
  );

  it.each(spoken)('that asks %s takes from one who %s no second word: no %s', (rule, said, verb) => {
    expect(transition(asking(rule, 'PENDING', said, 'PENDING'), action(verb, 'a'))).toBeUndefined();
  });

  it.each(VERBS)('takes no %s from someone it does not ask', (verb) => {
    expect(transition(asking('ONE', 'PENDING', 'PENDING'), action(verb, 'stranger'))).toBeUndefined();
  });

  it.each(['a', 'b', 'c'])('is not handed on to one it asks already: %s', (to) => {
    const standing = asking('ALL', 'PENDING', 'PENDING', 'PENDING', 'DECLINED');
    expect(transition(standing, { verb: 'DELEGATE', by: 'a', to })).toBeUndefined();
  });
});

describe('a run', () => {
  it.each([
    ['PENDING', true, 'PENDING'],
    ['PENDING', false, 'PENDING'],
    ['APPROVED', true, 'PENDING'],
    ['APPROVED', false, 'APPROVED'],
    ['DECLINED', true, 'DECLINED'],
    ['DECLINED', false, 'DECLINED'],
    ['DENIED', true, 'DENIED'],
    ['DENIED', false, 'DENIED'],
  ] as const)('whose step is %s, with a next step: %s, is %s', (approval, hasNext, expected) => {
    expect(runState(approval, hasNext)).toBe(expected);
  });
});

const people = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const person = fc.constantFrom(...people);
const anyAction = fc
  .tuple(fc.constantFrom(...VERBS), person, person)
  .map(([verb, by, to]) => action(verb, by, to));
const anyStart = fc
  .tuple(fc.constantFrom(...RULES), fc.integer({ min: 1, max: 5 }))
  .map(([rule, size]) => asking(rule, 'PENDING', ...Array<State>(size).fill('PENDING')));

/** The states that a sequence of actions leads through; a refused one leads nowhere. */
function walk(start: ApprovalProgress, actions: readonly ApprovalAction[]): ApprovalProgress[] {
  const states = [start];
  for (const each of actions) {
    const next = transition(states.at(-1) as ApprovalProgress, each);
    if (next) states.push(next);
  }
  return states;
}

const said = ({ approvers }: ApprovalProgress) => approvers.map(({ state }) => state);

const everyWalk = (holds: (states: ApprovalProgress[]) => void) =>
  fc.assert(
    fc.property(anyStart, fc.array(anyAction, { maxLength: 30 }), (start, actions) =>
      holds(walk(start, actions)),
    ),
    { numRuns: 1_000 },
  );

describe('after any sequence of actions, an approval', () => {
  it('is in the state that its rule makes of what was said', () => {
    everyWalk((states) => {
      for (const standing of states) {
        const words = said(standing);
        const enough =
          standing.rule === 'ONE'
            ? words.includes('APPROVED')
            : words.includes('APPROVED') && !words.includes('PENDING');
        expect(standing.state === 'DENIED').toBe(words.includes('DENIED'));
        expect(standing.state === 'DECLINED').toBe(words.every((each) => each === 'DECLINED'));
        expect(standing.state === 'APPROVED').toBe(enough && !words.includes('DENIED'));
      }
    });
  });

  it('that is pending still asks someone', () => {
    everyWalk((states) => {
      for (const standing of states)
        if (standing.state === 'PENDING') expect(said(standing)).toContain('PENDING');
    });
  });

  it('was settled once, at the end', () => {
    everyWalk((states) => {
      expect(states.slice(0, -1).every(({ state }) => state === 'PENDING')).toBe(true);
    });
  });

  it('asks as many as at first, and nobody twice', () => {
    everyWalk((states) => {
      for (const { approvers } of states) {
        expect(approvers).toHaveLength(states[0]?.approvers.length as number);
        expect(new Set(approvers.map(({ userId }) => userId)).size).toBe(approvers.length);
      }
    });
  });

  it('keeps every word that was said', () => {
    everyWalk((states) => {
      for (const [index, { approvers }] of states.entries())
        for (const [place, before] of (states[index - 1]?.approvers ?? []).entries())
          if (before.state !== 'PENDING') expect(approvers[place]).toEqual(before);
    });
  });

  it('is what it was before wherever an action was refused, and never changed in place', () => {
    fc.assert(
      fc.property(anyStart, anyAction, (start, each) => {
        const before = structuredClone(start);
        transition(start, each);
        expect(start).toEqual(before);
      }),
    );
  });
});
