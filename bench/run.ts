import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { check } from './check.ts';
import {
  allContenders,
  ask,
  type Contender,
  installedContenders,
  type Running,
  start,
} from './contenders.ts';
import { type Data, grow, itemsBefore, makeDatabase, startOfPage, type Times } from './data.ts';
import { checkEmbedded, raceEmbedded } from './embedded/race.ts';
import { type Figures, keepFigures, machine } from './figures.ts';
import { raceBatches } from './files/batches.ts';
import { raceFiles } from './files/large-files.ts';
import { raceUploads } from './files/small-uploads.ts';
import { drawPictures, type Step } from './pictures.ts';
import { type Race, race, requireSameAnswers, type Settings, targetsOf } from './rounds.ts';
import { measureStarts } from './starts.ts';
import { printRace } from './table.ts';
import { raceTokens } from './tokens.ts';
import { printUnits, unitCosts } from './units.ts';
import { comment } from './work/comment.ts';
import { createTasks } from './work/create-tasks.ts';
import { bigList, bigListLate, documentList } from './work/document-list.ts';
import { folderList } from './work/folder-list.ts';
import { nestedRead } from './work/nested-read.ts';
import { oneDocument } from './work/one-document.ts';
import { grownSearch, search } from './work/search.ts';
import { viewer, viewerOfToken } from './work/viewer.ts';
import { graphCall, limitCall, type Work } from './work.ts';

const { values: options } = parseArgs({
  options: {
    /** Only these pieces of work, by id; then no file is written. */
    only: { type: 'string', multiple: true },
    /** Only these parts (races, units, connections, starts, tokens, uploads, files, embedded, hundred, grown); the results of the others stay. */
    part: { type: 'string', multiple: true },
    /** Only contenders whose names have this prefix; the limit is always measured. */
    who: { type: 'string', multiple: true },
    /** Installs nothing and measures nothing: compares what the contenders that are there answer to every work. */
    check: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '10' },
  },
});

const WORKS = [
  nestedRead,
  documentList,
  folderList,
  oneDocument,
  viewer,
  viewerOfToken,
  search,
  createTasks,
  comment,
];
const GROWN = [nestedRead, documentList, bigList, bigListLate, oneDocument, viewer, search, grownSearch];
const CONNECTIONS = [1, 10, 50, 100, 250, 500];
/** In MiB. */
const GIBIBYTE = 1024;
/** A late page of the large project, by multiple of the data. */
const LATE: Record<Times, number> = { 100: 400, 10000: 1_000 };

/** Many connections take a while to settle, and exceed what some can serve. */
const LONG = { rounds: 1, seconds: 8, warm: true, mayFail: true };

const settings: Settings = {
  rounds: Number(options.rounds),
  seconds: Number(options.seconds),
  connections: Number(options.connections),
};

const folder = fileURLToPath(new URL('.', import.meta.url));

function install(): void {
  if (existsSync(`${folder}node_modules`)) return;
  console.log('Installing what Docgraph is measured against …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm ci failed in bench/.');
}

const chosen = (works: Work[]) => works.filter(({ id }) => !options.only || options.only.includes(id));

const takesPart = ({ name, apis }: Contender) =>
  !options.who || apis.includes('limit') || options.who.some((each) => name.startsWith(each));

/** The first request to each: the viewer. */
const firstCall = ({ apis }: Contender, data: Data) => {
  const calls = viewer.calls(data);
  return calls[apis[0] as 'graph'] ?? limitCall('viewer');
};

/** Adds each to `running` once it has started, so that they can be stopped when one does not start. */
async function startAll(running: Running[], url: string, data: Data): Promise<void> {
  const contenders = options.check ? installedContenders : allContenders();
  for (const each of contenders.filter(takesPart))
    running.push(await start(each, url, firstCall(each, data), data.key));
}

async function raceAll(works: Work[], running: Running[], data: Data, how = settings): Promise<Race[]> {
  const races: Race[] = [];
  for (const work of chosen(works)) {
    const targets = targetsOf(work, running, data);
    const secret = data[work.credential ?? 'key'];
    await requireSameAnswers(work, targets, secret);
    const results = await race(targets, secret, how);
    races.push({ id: work.id, title: work.title, results });
    printRace({ id: work.id, title: work.title, results });
  }
  return races;
}

/** The list page at 1 to 500 connections. */
async function connections(running: Running[], data: Data) {
  const steps: Step[] = [];
  for (const each of CONNECTIONS) {
    console.log(`\n${each} connections`);
    const [outcome] = await raceAll([documentList], running, data, {
      ...settings,
      ...LONG,
      connections: each,
    });
    if (outcome) steps.push({ connections: each, results: outcome.results });
  }
  return steps;
}

/** PostGraphile's own cursor of the last item before a page. */
async function postgraphileCursor(running: Running[], data: Data, page: number): Promise<string> {
  const peer = running.find(({ contender }) => contender.apis.includes('postgraphile'));
  if (!peer || !data.big) return '';
  const query = `query ($organization: String!, $id: String!, $offset: Int!) {
    project: projectByOrganizationIdAndRowId(organizationId: $organization, rowId: $id) {
      list: documentsByOrganizationIdAndProjectId(first: 1, offset: $offset, condition: { state: ACTIVE },
        orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) { pageInfo { endCursor } } } }`;
  const { organizationId: organization, projectId: id } = data.big;
  const call = graphCall(query, { organization, id, offset: itemsBefore(page) - 1 });
  const answer = (await ask(peer.url, call, data.key)) as {
    data: { project: { list: { pageInfo: { endCursor: string } } } };
  };
  return answer.data.project.list.pageInfo.endCursor;
}

/** The same work in a larger database, and the first and a late page of the large project. */
async function growth(url: string, running: Running[], data: Data, times: Times) {
  console.log(`\nGrowing the data ${times} times …`);
  data.big = await grow(url, times);
  data.bigLatePage = await startOfPage(data.big, url, LATE[times]);
  if (data.bigLatePage.after)
    data.bigLatePage.after.postgraphile = await postgraphileCursor(running, data, LATE[times]);
  return raceAll(GROWN, running, data);
}

/** The processor time of the units of queries, in the graph of this server. */
async function units(running: Running[], data: Data) {
  const server = running.find(({ contender }) => contender.apis.includes('docgraph'));
  if (!server) throw new Error('Docgraph takes no part.');
  const costs = await unitCosts(server, data);
  printUnits(costs);
  return costs;
}

/** Small files, each by itself and in batches. */
const uploads = async (url: string, running: Running[], data: Data): Promise<Race[]> => [
  ...(await raceUploads(url, data, settings)),
  ...(await raceBatches(running, data, settings)),
];

async function printed(races: Promise<Race[]>): Promise<Race[]> {
  for (const each of await races) printRace(each);
  return races;
}

async function keep(measured: Figures): Promise<void> {
  const results = await keepFigures(new URL('results.json', import.meta.url), measured);
  await drawPictures(results, folder);
}

async function main(): Promise<void> {
  if (!options.check) install();
  const server = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  console.log(`Making the data at ${new URL(server).host} …`);
  const { url, data, drop, version } = await makeDatabase(server);
  process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'docgraph-bench-'));
  const running: Running[] = [];
  const clearUp = async () => {
    await Promise.all(running.map((each) => each.stop()));
    await drop();
    await rm(process.env.DATA_DIR as string, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void clearUp().finally(() => process.exit(130)));
  try {
    await startAll(running, url, data);
    if (options.check) {
      await checkEmbedded(url, data);
      return await check(url, running, data, chosen(WORKS), chosen(GROWN));
    }
    if (options.only) {
      await raceAll(WORKS, running, data);
      if (chosen(GROWN).some((each) => !WORKS.includes(each))) await growth(url, running, data, 10_000);
      return;
    }
    const parts: Record<string, () => Promise<unknown>> = {
      races: () => raceAll(WORKS, running, data),
      units: () => units(running, data),
      connections: () => connections(running, data),
      starts: () => measureStarts(allContenders().filter(takesPart), url, data, firstCall),
      tokens: () => printed(raceTokens(url, data, settings)),
      uploads: () => printed(uploads(url, running, data)),
      files: () => printed(raceFiles(GIBIBYTE, settings.rounds)),
      embedded: () => raceEmbedded(url, data, settings),
      hundred: () => growth(url, running, data, 100),
      grown: () => growth(url, running, data, 10_000),
    };
    for (const [name, measure] of Object.entries(parts))
      if (!options.part || options.part.includes(name))
        await keep({
          [name]: { settings, results: await measure(), machine: { ...machine(), postgres: version } },
        });
  } finally {
    await clearUp();
  }
}

await main();
