import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { docgraph, type Running, start } from '../contenders.ts';
import { addTasks, type Data, makeEmbedded } from '../data.ts';
import {
  measure,
  median,
  type Race,
  type Result,
  requireSameAnswers,
  type Sample,
  type Settings,
  summary,
  type Target,
  takeTurns,
  targetsOf,
  warmUp,
} from '../rounds.ts';
import { columns, number } from '../table.ts';
import { documentList } from '../work/document-list.ts';
import { nestedRead } from '../work/nested-read.ts';
import { oneDocument } from '../work/one-document.ts';
import { search } from '../work/search.ts';
import { taskList } from '../work/task-list.ts';
import { viewer } from '../work/viewer.ts';
import { graphCall, type Work } from '../work.ts';

/** A result, and the waits in ms of /healthz meanwhile, which asks no database. */
export interface EmbeddedResult extends Result {
  health50: number;
  health99: number;
}

interface SampleWithHealth {
  sample: Sample;
  health: number[];
}

/** Milliseconds between two requests for /healthz. */
const HEALTH_PAUSE = 20;

const WORKS = [nestedRead, documentList, taskList, search, oneDocument, viewer];

/** The same server on PostgreSQL, to which the ratios are, and on the embedded database. */
export async function raceEmbedded(url: string, data: Data, settings: Settings): Promise<Race[]> {
  return onBoth(url, data, async (work, targets) => {
    for (const target of targets) await warmUp(target, data.key, settings);
    const samples = await takeTurns(targets, settings.rounds, (target) => sampleOf(target, data, settings));
    const results = targets.map((_, index) => resultOf(targets, samples, index));
    print(work, results);
    return { id: work.id, title: work.title, results };
  });
}

/** Throws unless the two answer all of the works alike. */
export async function checkEmbedded(url: string, data: Data): Promise<void> {
  await onBoth(url, data, async (work) => console.log(`${work.id}: PostgreSQL, embedded answer the same`));
}

async function onBoth<One>(
  url: string,
  data: Data,
  each: (work: Work, targets: Target[]) => Promise<One>,
): Promise<One[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docgraph-bench-embedded-'));
  const running: Running[] = [];
  try {
    await addTasks(url);
    await makeEmbedded(join(folder, 'pg'), data);
    const contender = { ...docgraph, apis: ['graph' as const, 'docgraph' as const] };
    const call = viewer.calls(data).graph ?? graphCall('{ __typename }');
    running.push(await start({ ...contender, name: 'PostgreSQL' }, url, call, data.key));
    const env = { DATA_DIR: folder, OCR_LANGUAGES: 'off' };
    running.push(await start({ ...contender, name: 'Embedded', env }, '', call, data.key));
    const done: One[] = [];
    for (const work of WORKS) {
      const targets = targetsOf(work, running, data);
      await requireSameAnswers(work, targets, data.key);
      done.push(await each(work, targets));
    }
    return done;
  } finally {
    await Promise.all(running.map((one) => one.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function sampleOf(target: Target, { key }: Data, settings: Settings): Promise<SampleWithHealth> {
  const stop = new AbortController();
  const health = watchHealth(target.running.url, stop.signal);
  const sample = await measure(target, key, settings).finally(() => stop.abort());
  return { sample, health: await health };
}

async function watchHealth(url: string, stop: AbortSignal): Promise<number[]> {
  const waits: number[] = [];
  while (!stop.aborted) {
    const began = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    waits.push(performance.now() - began);
    await pause(HEALTH_PAUSE);
  }
  return waits;
}

function resultOf(targets: Target[], samples: SampleWithHealth[][], index: number): EmbeddedResult {
  const [own, first] = [samples[index] ?? [], samples[0] ?? []];
  const only = (all: SampleWithHealth[]) => all.map(({ sample }) => sample);
  return {
    ...summary(targets[index]?.name ?? '', only(own), only(first)),
    health50: median(own.map(({ health }) => quantile(health, 0.5))),
    health99: median(own.map(({ health }) => quantile(health, 0.99))),
  };
}

const quantile = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;

function print({ title }: Work, results: EmbeddedResult[]): void {
  const head = [
    '',
    'ratio',
    'spread',
    'a second',
    'p50 ms',
    'p99 ms',
    'cpu ms',
    'db cpu ms',
    'healthz p50',
    'p99',
  ];
  const rows = results.map((each) => [
    each.name,
    number(each.ratio, 2),
    `${number(each.least, 2)}–${number(each.greatest, 2)}`,
    number(each.rate),
    number(each.p50),
    number(each.p99),
    number(each.cpu, 2),
    number(each.databaseCpu, 2),
    number(each.health50, 1),
    number(each.health99, 1),
  ]);
  console.log(`\n${title}\n${columns([head, ...rows])}`);
}
