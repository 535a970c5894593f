/**
 * Refreshing and introspecting tokens, compared with node-oidc-provider on the same PostgreSQL: both rotate refresh tokens, keep
 * opaque tokens in the database, and know their client by HTTP Basic. Each connection follows a chain of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../src/db/postgres/postgres.ts';
import { grantTo, makeClient, type Tokens } from './clients.ts';
import type { Data } from './data.ts';
import { type Race, type Settings, sampleOf, summary, takeTurns } from './rounds.ts';

const CHAINS = 10;
const PORTS = { docgraph: 20_401, peer: 20_402 };
/** Seconds until what compiles as it runs has been compiled, on a slow machine too. */
const WARM_UP = 15;

interface Contender {
  name: string;
  url: string;
  introspect: string;
  token: string;
  basic: string;
  chains: Tokens[];
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const start = (program: string, env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, ['--max-semi-space-size=32', here(program)], {
    env: { ...process.env, DATABASE_POOL: '10', NODE_ENV: 'production', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

async function lineOf(child: ChildProcess, what: RegExp): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream }))
    if (what.test(line)) return line;
  throw new Error('A contender ended before it was ready.');
}

async function makeTokens(url: string, { organizationId, userId }: Data) {
  const db = await openPostgres({ url, pool: 1, statementTimeout: 60_000 });
  const client = await makeClient(db, organizationId, userId);
  const chains: Tokens[] = [];
  while (chains.length < CHAINS) chains.push(await grantTo(db, client));
  await db.close();
  return { client, chains };
}

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

async function post(agent: Agent, { url, basic }: Contender, path: string, form: Record<string, string>) {
  const outgoing = request(`${url}${path}`, {
    method: 'POST',
    agent,
    headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
  });
  outgoing.end(new URLSearchParams(form).toString());
  const [incoming] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of incoming) text += chunk;
  if (incoming.statusCode !== 200) throw new Error(`${url}${path} answered ${incoming.statusCode}: ${text}`);
  return JSON.parse(text);
}

async function refresh(agent: Agent, who: Contender, chain: Tokens): Promise<void> {
  const answer = await post(agent, who, who.token, {
    grant_type: 'refresh_token',
    refresh_token: chain.refreshToken,
  });
  chain.refreshToken = answer.refresh_token;
}

async function introspect(agent: Agent, who: Contender, { accessToken }: Tokens): Promise<void> {
  const { active } = await post(agent, who, who.introspect, { token: accessToken });
  if (!active) throw new Error(`${who.name} says that its token is not active.`);
}

/** Requests per second, sequential within each chain. */
async function rate(who: Contender, once: typeof refresh, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CHAINS });
  const [from, until] = [performance.now(), performance.now() + seconds * 1000];
  let done = 0;
  await Promise.all(
    who.chains.map(async (chain) => {
      for (; performance.now() < until; done++) await once(agent, who, chain);
    }),
  );
  agent.destroy();
  return (done * 1000) / (performance.now() - from);
}

async function race(
  contenders: Contender[],
  once: typeof refresh,
  title: string,
  settings: Settings,
): Promise<Race> {
  for (const each of contenders) await rate(each, once, WARM_UP);
  const samples = await takeTurns(contenders, settings.rounds, async (each) =>
    sampleOf(await rate(each, once, settings.seconds)),
  );
  const results = contenders.map(({ name }, index) => summary(name, samples[index] ?? [], samples[0] ?? []));
  return { id: once.name, title, results };
}

/** Refreshing and introspecting, relative to node-oidc-provider in the same time. */
export async function raceTokens(url: string, data: Data, settings: Settings): Promise<Race[]> {
  const { client, chains } = await makeTokens(url, data);
  const docgraph = start('../dist/src/main.js', { DATABASE_URL: url, PORT: String(PORTS.docgraph) });
  const peer = start('./peers/oidc-provider.js', {
    DATABASE_URL: url,
    PORT: String(PORTS.peer),
    CLIENT_SECRET: client.secret,
    CHAINS: String(CHAINS),
  });
  try {
    const [peerTokens] = await Promise.all([lineOf(peer, /^\[/), lineOf(docgraph, /ready/)]);
    const contenders: Contender[] = [
      {
        name: 'node-oidc-provider',
        url: `http://127.0.0.1:${PORTS.peer}`,
        token: '/token',
        introspect: '/token/introspection',
        basic: basic('planner', client.secret),
        chains: JSON.parse(peerTokens),
      },
      {
        name: 'Docgraph',
        url: `http://127.0.0.1:${PORTS.docgraph}`,
        token: '/oauth/token',
        introspect: '/oauth/introspect',
        basic: basic(client.id, client.secret),
        chains,
      },
    ];
    return [
      await race(contenders, refresh, 'Refresh a token', settings),
      await race(contenders, introspect, 'Introspect a token', settings),
    ];
  } finally {
    for (const each of [docgraph, peer]) each.kill('SIGKILL');
  }
}
