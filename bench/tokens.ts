/**
 * Refreshing and introspecting tokens, beside node-oidc-provider on the same PostgreSQL: both rotate refresh tokens, keep
 * opaque tokens in the database, and know their client by HTTP Basic. Each connection follows a chain of its own. Rounds
 * take turns; the medians of their ratios count. Run: npm run build && npx tsx bench/tokens.ts [rounds] [seconds]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../src/db/postgres.ts';
import { newId } from '../src/lib/id.ts';
import { hashSecret, newSecret } from '../src/lib/secret.ts';
import { DAY, fromNow } from '../src/lib/time.ts';
import { makeDatabase } from './data.ts';
import { median } from './rounds.ts';

const CHAINS = 10;
const PORTS = { docgraph: 20_401, peer: 20_402 };
const SCOPES: ('read' | 'write')[] = ['read', 'write'];

interface Tokens {
  refreshToken: string;
  accessToken: string;
}

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

/** A client, and an authorization of it for each chain. */
async function makeTokens(url: string, organizationId: string) {
  const db = await openPostgres({ url, pool: 1, statementTimeout: 60_000 });
  const { createdById: userId } = await db.prisma.organization.findUniqueOrThrow({
    where: { id: organizationId },
  });
  const [clientId, secret] = [newId('Client'), newSecret('dgb_')];
  const facts = {
    name: 'Planner',
    kind: 'CONFIDENTIAL' as const,
    redirectUris: ['https://app.example/callback'],
  };
  await db.prisma.client.create({
    data: { id: clientId, organizationId, ...facts, scopes: SCOPES, createdById: userId },
  });
  await db.prisma.clientSecret.create({
    data: { id: newId('ClientSecret'), clientId, secretHash: hashSecret(secret) },
  });
  const chains: Tokens[] = [];
  for (let chain = 0; chain < CHAINS; chain++) {
    const [refreshToken, accessToken] = [newSecret('dgr_'), newSecret('dga_')];
    const { id: grantId } = await db.prisma.grant.create({
      data: { id: newId('Grant'), clientId, userId, scopes: SCOPES },
    });
    const token = { grantId, scopes: SCOPES, expiresAt: fromNow(DAY) };
    await db.prisma.refreshToken.create({ data: { ...token, secretHash: hashSecret(refreshToken) } });
    await db.prisma.accessToken.create({ data: { ...token, secretHash: hashSecret(accessToken) } });
    chains.push({ refreshToken, accessToken });
  }
  await db.close();
  return { clientId, secret, chains };
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

/** Requests a second, each chain one after the other. */
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
  contenders: [Contender, Contender],
  once: typeof refresh,
  rounds: number,
  seconds: number,
) {
  const ratios: number[] = [];
  for (const each of contenders) await rate(each, once, 3);
  for (let round = 0; round < rounds; round++) {
    const [ours, theirs] = contenders;
    const first = round % 2 === 0 ? await rate(ours, once, seconds) : 0;
    const peer = await rate(theirs, once, seconds);
    ratios.push((first || (await rate(ours, once, seconds))) / peer);
  }
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  console.log(`${once.name.padEnd(12)} ${median(ratios).toFixed(2)} of node-oidc-provider (${spread})`);
}

const [rounds = '5', seconds = '3'] = process.argv.slice(2);
const server = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const { url, data, drop } = await makeDatabase(server);
const { clientId, secret, chains } = await makeTokens(url, data.organizationId);
const docgraph = start('../dist/src/main.js', { DATABASE_URL: url, PORT: String(PORTS.docgraph) });
const peer = start('./peers/oidc-provider.js', {
  DATABASE_URL: url,
  PORT: String(PORTS.peer),
  CLIENT_SECRET: secret,
  CHAINS: String(CHAINS),
});
try {
  const [made] = await Promise.all([lineOf(peer, /^\[/), lineOf(docgraph, /ready/)]);
  const contenders: [Contender, Contender] = [
    {
      name: 'Docgraph',
      url: `http://127.0.0.1:${PORTS.docgraph}`,
      token: '/oauth/token',
      introspect: '/oauth/introspect',
      basic: basic(clientId, secret),
      chains,
    },
    {
      name: 'node-oidc-provider',
      url: `http://127.0.0.1:${PORTS.peer}`,
      token: '/token',
      introspect: '/token/introspection',
      basic: basic('planner', secret),
      chains: JSON.parse(made),
    },
  ];
  for (const each of [refresh, introspect]) await race(contenders, each, Number(rounds), Number(seconds));
} finally {
  for (const each of [docgraph, peer]) each.kill('SIGKILL');
  await drop();
}
