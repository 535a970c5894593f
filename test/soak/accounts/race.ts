import { isDeepStrictEqual } from 'node:util';
import type { Page } from '../../support/browser.ts';
import { type AccountRace, AT_ONCE, type Round, type Scene } from './scene.ts';
import { compareTraces, readTraces } from './traces.ts';

export interface Tally {
  rounds: number;
  /** Rounds without exactly one winner. */
  wrong: number;
  /** Winners that were not given what was raced for. */
  vain: number;
  /** Answers to who lost that do not say why. */
  unclear: number;
  /** Rounds that left something else in the database than one winner leaves. */
  changed: number;
  statuses: Record<string, number>;
  /** The first of these faults. */
  fault?: unknown;
}

/** Has AT_ONCE ask for the same thing in each round, and compares what they got and left with one winner's. */
export async function runRace(race: AccountRace, scene: Scene, rounds: number): Promise<Tally> {
  const tally: Tally = { rounds, wrong: 0, vain: 0, unclear: 0, changed: 0, statuses: {} };
  for (let index = 0; index < rounds; index++) await runRound(await race(scene), scene, tally);
  return tally;
}

async function runRound(round: Round, { db }: Scene, tally: Tally): Promise<void> {
  const before = await readTraces(db, round.emails);
  const pages = await Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => round.ask(turn)));
  const left = compareTraces(before, await readTraces(db, round.emails));
  for (const { status } of pages) tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  const winners = pages.flatMap((page, turn) => (round.isWinner(page) ? [turn] : []));
  const note = (fault: 'wrong' | 'vain' | 'changed' | 'unclear', what: unknown) => {
    tally[fault]++;
    tally.fault ??= { [fault]: what };
  };
  if (winners.length !== 1) note('wrong', winners);
  if (!isDeepStrictEqual(left, round.leaves)) note('changed', left);
  for (const page of await unclearOf(round, pages)) note('unclear', [page.status, page.text]);
  for (const turn of winners) if (!(await round.isGiven(turn))) note('vain', pages[turn]?.text);
}

async function unclearOf(round: Round, pages: readonly Page[]): Promise<Page[]> {
  const unclear: Page[] = [];
  for (const [turn, page] of pages.entries())
    if (!round.isWinner(page) && !(await round.isRefusal(page, turn))) unclear.push(page);
  return unclear;
}
