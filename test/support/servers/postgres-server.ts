import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './processes.ts';

/** A PostgreSQL server of one's own: the only one that may be killed. */
export interface PostgresServer {
  url: string;
  /** Ends all of its processes at once, as kill -9 does. */
  kill(): Promise<void>;
  /** Starts it on the same data; resolves once it answers. */
  start(): Promise<void>;
  /** Kills it, and removes its data. */
  remove(): Promise<void>;
}

/** Made with the programs that `pg_config` names, with PostgreSQL's own settings: what it acknowledges is synced. */
export async function newPostgresServer(): Promise<PostgresServer> {
  const programs = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-postgres-'));
  const data = join(folder, 'data');
  const user = ownerOfData();
  if (user) chownSync(folder, user.uid, user.gid);
  const making = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(programs, 'initdb'), making, { ...user, cwd: folder, stdio: 'pipe' });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const begin = () =>
    spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    });
  let child = begin();
  const server: PostgresServer = {
    url,
    async kill() {
      const all = [child.pid as number, ...childrenOf(child.pid as number)];
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      for (const pid of all) endNow(pid);
      await ended;
    },
    async start() {
      // It refuses while a process of the one before is still going.
      while (!(await answers(url))) if (child.exitCode !== null || child.signalCode !== null) child = begin();
    },
    async remove() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
  await server.start();
  return server;
}

/** It refuses to run as root. */
function ownerOfData(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === parent).map(Number);
}

/** Field 4 of proc(5)'s stat. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
