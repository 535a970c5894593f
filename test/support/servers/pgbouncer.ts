import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './processes.ts';

export const hasPgBouncer = (() => {
  try {
    return execFileSync('which', ['pgbouncer'], { stdio: 'pipe' }).length > 0;
  } catch {
    return false;
  }
})();

/** PgBouncer in transaction mode before a PostgreSQL server: its few connections change hands with every transaction. */
export async function startPgBouncer(server: string) {
  const { hostname, port, username, password } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-pgbouncer-'));
  const listen = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: listen,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 4,
    max_client_conn: 200,
    ignore_startup_parameters: 'extra_float_digits,options',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const secret = password ? ` password=${password}` : '';
  const ini = join(folder, 'pgbouncer.ini');
  const target = `* = host=${hostname} port=${port || 5432} user=${username}${secret}`;
  writeFileSync(ini, `[databases]\n${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
  for (const path of [folder, ini]) chmodSync(path, 0o755);
  const asRoot = process.getuid?.() === 0;
  // It refuses to run as root.
  const child = spawn('pgbouncer', [...(asRoot ? ['-u', 'nobody'] : []), ini], { stdio: 'ignore' });
  while (!(await listens(listen))) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    /** The address of a database of the server, by way of PgBouncer. */
    urlOf: (database: string) => `postgres://${username}@127.0.0.1:${listen}${new URL(database).pathname}`,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
    socket.on('error', () => resolve(false));
  });
