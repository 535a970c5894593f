import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type SessionAction,
  type SessionProgress,
  type Signer,
  transition,
} from '../../../src/domain/signatures/signature-state.ts';

const STATES = ['DRAFT', 'ACTIVE', 'COMPLETED', 'STOPPED'] as const;
const VERBS = ['SAVE', 'BEGIN', 'STOP', 'RESET', 'SIGN', 'DECLINE'] as const;

const action = (verb: (typeof VERBS)[number], by: string): SessionAction =>
  verb === 'SIGN' || verb === 'DECLINE' ? { verb, by } : { verb };

/** `a1 REQUESTED` means a signer `a` of rank 1 who is requested. */
const session = (state: SessionProgress['state'], ...signers: string[]): SessionProgress => ({
  state,
  signers: signers.map((text) => {
    const [name = '', state] = text.split(' ');
    return { id: name[0] as string, rank: Number(name.slice(1)), state: state as Signer['state'] };
  }),
});

const summary = (after: SessionProgress | undefined) =>
  after && [after.state, ...after.signers.map((each) => `${each.id}${each.rank} ${each.state}`)].join(', ');

const WAITING = ['a1 WAITING', 'b1 WAITING', 'c2 WAITING'];
const ASKED = ['a1 REQUESTED', 'b1 REQUESTED', 'c2 WAITING'];
const DONE = ['a1 COMPLETED', 'b1 COMPLETED', 'c2 COMPLETED'];
const SIGNERS = { DRAFT: WAITING, ACTIVE: ASKED, COMPLETED: DONE, STOPPED: ASKED };

/** The next state for each state and action of `a`; actions that are missing here are refused. */
const DRAWN: Record<string, string> = {
  'DRAFT SAVE': 'DRAFT, a1 WAITING, b1 WAITING, c2 WAITING',
  'DRAFT BEGIN': 'ACTIVE, a1 REQUESTED, b1 REQUESTED, c2 WAITING',
  'DRAFT RESET': 'DRAFT, a1 WAITING, b1 WAITING, c2 WAITING',
  'ACTIVE STOP': 'STOPPED, a1 REQUESTED, b1 REQUESTED, c2 WAITING',
  'ACTIVE RESET': 'STOPPED, a1 REQUESTED, b1 REQUESTED, c2 WAITING',
  'ACTIVE SIGN': 'ACTIVE, a1 COMPLETED, b1 REQUESTED, c2 WAITING',
  'ACTIVE DECLINE': 'STOPPED, a1 DECLINED, b1 REQUESTED, c2 WAITING',
  'STOPPED RESET': 'STOPPED, a1 REQUESTED, b1 REQUESTED, c2 WAITING',
};

const pairs = STATES.flatMap((state) => VERBS.map((verb) => [state, verb] as const));

describe('a signing session', () => {
  it.each(pairs)('in the state %s changes by %s of a requested signer as the diagram says', (state, verb) => {
    const after = transition(session(state, ...SIGNERS[state]), action(verb, 'a'));
    expect(summary(after)).toBe(DRAWN[`${state} ${verb}`]);
  });

  it.each([
    [
      'the last of a rank requests the next rank',
      'SIGN',
      ['a1 REQUESTED', 'b1 COMPLETED', 'c2 WAITING', 'd2 WAITING'],
      'ACTIVE, a1 COMPLETED, b1 COMPLETED, c2 REQUESTED, d2 REQUESTED',
    ],
    [
      'ranks need not follow one another',
      'SIGN',
      ['a3 REQUESTED', 'b9 WAITING', 'c7 WAITING'],
      'ACTIVE, a3 COMPLETED, b9 WAITING, c7 REQUESTED',
    ],
    [
      'the last of all completes it',
      'SIGN',
      ['a2 REQUESTED', 'b1 COMPLETED'],
      'COMPLETED, a2 COMPLETED, b1 COMPLETED',
    ],
    [
      'who refuses stops it, also as the last',
      'DECLINE',
      ['a2 REQUESTED', 'b1 COMPLETED'],
      'STOPPED, a2 DECLINED, b1 COMPLETED',
    ],
  ] as const)('continues rank by rank: %s', (_, verb, signers, expected) => {
    expect(summary(transition(session('ACTIVE', ...signers), action(verb, 'a')))).toBe(expected);
  });

  it.each([
    ['waits', 'a2 WAITING'],
    ['signed', 'a1 COMPLETED'],
    ['refused', 'a1 DECLINED'],
    ['is not in the session', 'x1 REQUESTED'],
  ])('rejects the answer of a signer who %s', (_, signer) => {
    const before = session('ACTIVE', signer, 'b1 REQUESTED');
    expect([transition(before, action('SIGN', 'a')), transition(before, action('DECLINE', 'a'))]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('does not begin without signers', () => {
    expect(transition(session('DRAFT'), { verb: 'BEGIN' })).toBeUndefined();
  });
});

const people = ['a', 'b', 'c', 'd', 'e', 'f'];
/** Mostly signatures, since with equally frequent actions few sequences would reach a final state. */
const anyAction = fc
  .tuple(
    fc.oneof({ weight: 30, arbitrary: fc.constant('SIGN' as const) }, fc.constantFrom(...VERBS)),
    fc.constantFrom(...people),
  )
  .map(([verb, by]) => action(verb, by));
const anyDraft = fc
  .array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 })
  .map((ranks) => session('DRAFT', ...ranks.map((rank, index) => `${people[index]}${rank} WAITING`)));

/** The states after each action of a sequence; a refused action adds none. */
function walk(start: SessionProgress, actions: readonly SessionAction[]): SessionProgress[] {
  const states = [start];
  for (const each of actions) {
    const next = transition(states.at(-1) as SessionProgress, each);
    if (next) states.push(next);
  }
  return states;
}

const everyWalk = (holds: (states: SessionProgress[]) => void) =>
  fc.assert(
    fc.property(anyDraft, fc.array(anyAction, { maxLength: 60 }), (start, actions) =>
      holds(walk(start, [{ verb: 'BEGIN' }, ...actions])),
    ),
    { numRuns: 1_000 },
  );

const are = ({ signers }: SessionProgress, state: Signer['state']) =>
  signers.filter((each) => each.state === state);

describe('a signing session after any sequence of actions', () => {
  it('is completed exactly when everyone has signed', () => {
    let completed = 0;
    everyWalk((states) => {
      for (const each of states) {
        expect(each.state === 'COMPLETED').toBe(are(each, 'COMPLETED').length === each.signers.length);
        if (each.state === 'COMPLETED') completed++;
      }
    });
    expect(completed).toBeGreaterThan(50);
  });

  it('requests exactly the lowest rank that has not signed while it is active', () => {
    everyWalk((states) => {
      for (const each of states.filter(({ state }) => state === 'ACTIVE')) {
        const open = each.signers.filter(({ state }) => state !== 'COMPLETED');
        const lowest = Math.min(...open.map(({ rank }) => rank));
        expect(are(each, 'REQUESTED')).toEqual(open.filter(({ rank }) => rank === lowest));
      }
    });
  });

  it('never leaves a final state or returns to a draft', () => {
    everyWalk((states) => {
      for (const [index, each] of states.entries()) {
        const before = states[index - 1]?.state ?? 'DRAFT';
        if (before === 'COMPLETED' || before === 'STOPPED') expect(each.state).toBe(before);
        if (before === 'ACTIVE') expect(each.state).not.toBe('DRAFT');
      }
    });
  });

  it('keeps the answers and ranks of signers', () => {
    everyWalk((states) => {
      for (const [index, { signers }] of states.entries())
        for (const [position, before] of (states[index - 1]?.signers ?? []).entries()) {
          expect(signers[position]).toMatchObject({ id: before.id, rank: before.rank });
          if (before.state === 'COMPLETED' || before.state === 'DECLINED')
            expect(signers[position]?.state).toBe(before.state);
        }
    });
  });

  it('is unchanged by a refused action, and never mutated', () => {
    fc.assert(
      fc.property(anyDraft, fc.array(anyAction, { maxLength: 20 }), anyAction, (start, actions, last) => {
        const reached = walk(start, actions).at(-1) as SessionProgress;
        const before = structuredClone(reached);
        transition(reached, last);
        expect(reached).toEqual(before);
      }),
    );
  });
});
