import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const START_MS = 180_000;

export interface ServerProcess {
  url: string;
  pid: number;
  /** All that it has printed. */
  output(): string;
  /** Sends the signal, and resolves to the code it ended with; null when the signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Server processes of their own on one database, started at once; all give one public address. */
export async function startServers(
  count: number,
  databaseUrl: string,
  publicUrl: string,
): Promise<ServerProcess[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docgraph-processes-'));
  const env = {
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: publicUrl,
    DATA_DIR: folder,
    LOG_LEVEL: 'debug',
    REQUESTS_PER_MINUTE_ADDRESS: '0',
  };
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const started = await Promise.allSettled(ports.map((port) => start(port, env)));
  const servers = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = started.find((each) => each.status === 'rejected');
  if (failed) {
    await Promise.all(servers.map((server) => server.stop()));
    throw failed.reason;
  }
  const [first] = servers as [ServerProcess];
  const { stop } = first;
  first.stop = async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  return servers;
}

const { TEST_SERVER } = process.env;
const PROGRAM = TEST_SERVER ? [TEST_SERVER] : ['--import', 'tsx', 'src/main.ts'];

/** Starts a server process, compiled if the run compiled it, and waits until it is ready. */
export async function start(
  port: number,
  env: Record<string, string>,
  program = PROGRAM,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, program, {
    cwd: ROOT,
    env: {
      ...process.env,
      OCR_LANGUAGES: 'off',
      STOP_DELAY_SECONDS: '0',
      ...env,
      PORT: String(port),
      HOST: '127.0.0.1',
    },
  });
  let text = '';
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk;
      if (text.includes('Docgraph is ready')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${text}`)));
    setTimeout(() => reject(new Error(`the server did not start:\n${text}`)), START_MS).unref();
  });
  await ready.catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    output: () => text,
    end: (signal) => end(child, signal),
    stop: () => stop(child),
  };
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0];
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 12_000);
  await ended;
  clearTimeout(timer);
}
