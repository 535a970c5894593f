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

/** How many approvers an approval needs, as a rule or a number. */
type Quorum = ApprovalProgress['rule'] | number;

const approvalWith = (quorum: Quorum, state: State, ...answer: State[]): ApprovalProgress => ({
  rule: typeof quorum === 'number' ? 'ALL' : quorum,
  need: typeof quorum === 'number' ? quorum : null,
  veto: true,
  excludedIds: [],
  state,
  approvers: answer.map((each, index) => ({ userId: 'abcdef'[index] as string, state: each })),
});

const summary = (approval: ApprovalProgress | undefined) =>
  approval &&
  `${approval.state}: ${approval.approvers.map((each) => `${each.userId} ${each.state}`).join(', ')}`;

describe('an approval', () => {
  it.each([
    // The rule, the answers of `a` and the others, the action of `a`, and the result.
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
    [2, ['PENDING', 'PENDING', 'PENDING'], 'APPROVE', 'PENDING: a APPROVED, b PENDING, c PENDING'],
    [2, ['PENDING', 'APPROVED', 'PENDING'], 'APPROVE', 'APPROVED: a APPROVED, b APPROVED, c PENDING'],
    [2, ['PENDING', 'PENDING', 'PENDING'], 'DECLINE', 'PENDING: a DECLINED, b PENDING, c PENDING'],
    [2, ['PENDING', 'DECLINED', 'PENDING'], 'DECLINE', 'DECLINED: a DECLINED, b DECLINED, c PENDING'],
    [2, ['PENDING', 'APPROVED', 'DECLINED'], 'DECLINE', 'DECLINED: a DECLINED, b APPROVED, c DECLINED'],
    [2, ['PENDING', 'APPROVED', 'PENDING'], 'DENY', 'DENIED: a DENIED, b APPROVED, c PENDING'],
    [2, ['PENDING', 'PENDING', 'PENDING'], 'DELEGATE', 'PENDING: new PENDING, b PENDING, c PENDING'],
  ] as const)('that asks %s, with %j, becomes by %s of the first', (rule, answer, verb, expected) => {
    expect(summary(transition(approvalWith(rule, 'PENDING', ...answer), action(verb, 'a')))).toBe(expected);
  });

  it.each([
    ['ONE', ['PENDING', 'PENDING'], 'PENDING: a DENIED, b PENDING'],
    ['ONE', ['PENDING', 'DENIED'], 'DENIED: a DENIED, b DENIED'],
    ['ONE', ['PENDING', 'DECLINED'], 'DENIED: a DENIED, b DECLINED'],
    [2, ['PENDING', 'PENDING', 'PENDING'], 'PENDING: a DENIED, b PENDING, c PENDING'],
    [2, ['PENDING', 'APPROVED', 'PENDING'], 'PENDING: a DENIED, b APPROVED, c PENDING'],
    [2, ['PENDING', 'DECLINED', 'PENDING'], 'DENIED: a DENIED, b DECLINED, c PENDING'],
    ['ALL', ['PENDING', 'APPROVED'], 'DENIED: a DENIED, b APPROVED'],
  ] as const)('without a veto that asks %s, with %j, becomes by a denial of the first', (quorum, answer, expected) => {
    const approval = { ...approvalWith(quorum, 'PENDING', ...answer), veto: false };
    expect(summary(transition(approval, action('DENY', 'a')))).toBe(expected);
  });

  const pairs = RULES.flatMap((rule) =>
    STATES.flatMap((state) => VERBS.map((verb) => [rule, state, verb] as const)),
  );

  it.each(
    pairs.filter(([, state]) => state !== 'PENDING'),
  )('with the rule %s in the state %s does not allow %s, by pending or other approvers', (rule, state, verb) => {
    const approval = approvalWith(rule, state, 'PENDING', state);
    expect([
      transition(approval, action(verb, 'a')),
      transition(approval, action(verb, 'b')),
      transition(approval, action(verb, 'stranger')),
    ]).toEqual([undefined, undefined, undefined]);
  });

  const answered = RULES.flatMap((rule) =>
    (['APPROVED', 'DECLINED'] as const).flatMap((answer) =>
      VERBS.map((verb) => [rule, answer, verb] as const),
    ),
  );

  it.each(answered)('with the rule %s does not let an approver who %s also %s', (rule, answer, verb) => {
    expect(transition(approvalWith(rule, 'PENDING', answer, 'PENDING'), action(verb, 'a'))).toBeUndefined();
  });

  it.each(VERBS)('does not allow %s by a person who is not an approver', (verb) => {
    expect(transition(approvalWith('ONE', 'PENDING', 'PENDING'), action(verb, 'stranger'))).toBeUndefined();
  });

  it.each(['a', 'b', 'c'])('cannot be delegated to an existing approver: %s', (to) => {
    const approval = approvalWith('ALL', 'PENDING', 'PENDING', 'PENDING', 'DECLINED');
    expect(transition(approval, { verb: 'DELEGATE', by: 'a', to })).toBeUndefined();
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
  .record({
    quorum: fc.constantFrom<Quorum>('ONE', 'ALL', 2, 3),
    size: fc.integer({ min: 1, max: 5 }),
    veto: fc.boolean(),
  })
  .filter(({ quorum, size }) => typeof quorum !== 'number' || quorum <= size)
  .map(({ quorum, size, veto }) => ({
    ...approvalWith(quorum, 'PENDING', ...Array<State>(size).fill('PENDING')),
    veto,
  }));

/** The states after each action of a sequence; a refused action adds none. */
function walk(start: ApprovalProgress, actions: readonly ApprovalAction[]): ApprovalProgress[] {
  const states = [start];
  for (const each of actions) {
    const next = transition(states.at(-1) as ApprovalProgress, each);
    if (next) states.push(next);
  }
  return states;
}

const answer = ({ approvers }: ApprovalProgress) => approvers.map(({ state }) => state);

const everyWalk = (holds: (states: ApprovalProgress[]) => void) =>
  fc.assert(
    fc.property(anyStart, fc.array(anyAction, { maxLength: 30 }), (start, actions) =>
      holds(walk(start, actions)),
    ),
    { numRuns: 1_000 },
  );

describe('an approval after any sequence of actions', () => {
  it('has the state that its quorum and veto derive from the answers', () => {
    everyWalk((states) => {
      for (const approval of states) {
        const words = answer(approval);
        const count = (state: State) => words.filter((each) => each === state).length;
        const others = words.length - count('DECLINED');
        const need = approval.rule === 'ONE' ? 1 : (approval.need ?? Math.max(1, others));
        const vetoed = approval.veto && count('DENIED') > 0;
        const lost = count('APPROVED') + count('PENDING') < need;
        expect(approval.state === 'DENIED').toBe(vetoed || (lost && count('DENIED') > 0));
        expect(approval.state === 'DECLINED').toBe(lost && count('DENIED') === 0);
        expect(approval.state === 'APPROVED').toBe(!vetoed && count('APPROVED') >= need);
      }
    });
  });

  it('does not depend on the order of independent answers', () => {
    const answers = fc.shuffledSubarray(people.slice(0, 4), { minLength: 4 });
    const verbs = fc.array(fc.constantFrom('APPROVE', 'DECLINE', 'DENY'), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(anyStart, answers, verbs, (start, order, each) => {
        const verbOf = (by: string) => each['abcd'.indexOf(by)] as 'APPROVE';
        const inOrder = (by: readonly string[]) => {
          const actions = by.map((user) => ({ verb: verbOf(user), by: user }));
          return walk(start, actions);
        };
        const [one, other] = [inOrder(order), inOrder([...order].sort())];
        // Only if none of the answers came too late, as the first decision is final.
        if (one.length === other.length && one.length > start.approvers.length)
          expect(one.at(-1)?.state).toBe(other.at(-1)?.state);
      }),
      { numRuns: 1_000 },
    );
  });

  it('has a pending approver while it is pending', () => {
    everyWalk((states) => {
      for (const approval of states)
        if (approval.state === 'PENDING') expect(answer(approval)).toContain('PENDING');
    });
  });

  it('is decided at most once, by its last change', () => {
    everyWalk((states) => {
      expect(states.slice(0, -1).every(({ state }) => state === 'PENDING')).toBe(true);
    });
  });

  it('keeps the number of approvers, without duplicates', () => {
    everyWalk((states) => {
      for (const { approvers } of states) {
        expect(approvers).toHaveLength(states[0]?.approvers.length as number);
        expect(new Set(approvers.map(({ userId }) => userId)).size).toBe(approvers.length);
      }
    });
  });

  it('keeps every answer', () => {
    everyWalk((states) => {
      for (const [index, { approvers }] of states.entries())
        for (const [position, before] of (states[index - 1]?.approvers ?? []).entries())
          if (before.state !== 'PENDING') expect(approvers[position]).toEqual(before);
    });
  });

  it('is unchanged by a refused action, and never mutated', () => {
    fc.assert(
      fc.property(anyStart, anyAction, (start, each) => {
        const before = structuredClone(start);
        transition(start, each);
        expect(start).toEqual(before);
      }),
    );
  });
});
