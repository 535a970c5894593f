import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { cpuOf, memoryOf } from './proc.ts';
import type { Api, Call } from './work.ts';

export interface Contender {
  name: string;
  apis: Api[];
  program: string;
  /** The Node that runs it; by default the one that runs the measurements. */
  node: string;
  /** Variables of its own. */
  env?: Record<string, string>;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const peer = (name: string) => here(`./peers/${name}.js`);
const DOCGRAPH = here('../dist/src/main.js');
const NEWER = here(`./node_modules/node-${process.platform}-${process.arch}/bin/node`);
const major = Number.parseInt(process.versions.node, 10);

/** PostGraphile needs Node 22. With an older one it runs on the Node of bench/package.json; then Docgraph and the limit are also measured on that Node. */
function onNewerNode(): Contender[] {
  const postgraphile = {
    name: 'PostGraphile',
    apis: ['postgraphile' as const],
    program: peer('postgraphile'),
  };
  if (major >= 22) return [{ ...postgraphile, node: process.execPath }];
  if (!existsSync(NEWER))
    throw new Error(
      `PostGraphile needs Node 22: ${NEWER} is missing. Run \`npm ci\` in bench/, or the benchmark with Node 22 or newer.`,
    );
  return [
    { ...postgraphile, name: 'PostGraphile, Node 24', node: NEWER },
    { name: 'Docgraph, Node 24', apis: ['graph'], program: DOCGRAPH, node: NEWER },
    { name: 'The limit, Node 24', apis: ['limit'], program: peer('limit'), node: NEWER },
  ];
}

const node = process.execPath;

/** V8 options, the same for all contenders: those of `npm start`. */
const FLAGS = ['--max-semi-space-size=32'];

export const LIMIT = 'The limit';

export const docgraph: Contender = {
  name: 'Docgraph',
  apis: ['graph', 'docgraph', 'rest'],
  program: DOCGRAPH,
  node,
};

/** Those whose packages Docgraph itself has. */
export const installedContenders: Contender[] = [
  { name: LIMIT, apis: ['limit'], program: peer('limit'), node },
  docgraph,
  { name: 'GraphQL Yoga', apis: ['graph'], program: peer('yoga'), node },
  { name: 'Pothos, Prisma plugin', apis: ['pothos'], program: peer('pothos'), node },
];

export const allContenders = (): Contender[] => [
  ...installedContenders,
  { name: 'Mercurius, JIT', apis: ['graph'], program: peer('mercurius'), node },
  { name: 'Apollo Server', apis: ['graph'], program: peer('apollo'), node },
  ...onNewerNode(),
];

export interface Running {
  contender: Contender;
  url: string;
  /** Milliseconds from the start to the first response. */
  startMs: number;
  /** Resident memory now, in MiB. */
  memory: () => number;
  /** Processor time used so far, in milliseconds. */
  cpu: () => number;
  stop: () => Promise<void>;
}

/** Starts a contender as a separate process, and waits for its first correct response. */
export async function start(
  contender: Contender,
  databaseUrl: string,
  call: Call,
  key: string,
): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(contender.node, [...FLAGS, contender.program], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATABASE_POOL: '10',
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      REQUESTS_PER_MINUTE: '0',
      ...contender.env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = () => ended(child);
  while (!(await answers(url, call, key))) {
    if (child.exitCode !== null || performance.now() - began > 60_000) {
      await stop();
      throw new Error(`${contender.name} does not start.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const startMs = performance.now() - began;
  return { contender, url, startMs, memory: () => memoryOf(child.pid), cpu: () => cpuOf(child.pid), stop };
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

async function answers(url: string, call: Call, key: string): Promise<boolean> {
  try {
    return 'data' in ((await ask(url, call, key)) as object);
  } catch {
    return false;
  }
}

export const headersOf = (key: string) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});

/** Sends one request and returns the response as JSON. Throws unless it succeeds. */
export async function ask(url: string, { method, path, body }: Call, key: string): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: headersOf(key),
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = response.ok ? JSON.parse(text) : undefined;
  if (!answer || answer.errors)
    throw new Error(`${url}${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return answer;
}
