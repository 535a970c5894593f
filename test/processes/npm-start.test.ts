import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDataFolder } from '../support/servers/embedded-folder.ts';
import { freePort } from '../support/servers/processes.ts';

const LIMIT = 400_000;
const folder = mkdtempSync(join(tmpdir(), 'docgraph-npm-'));
const shells = ['bash', 'dash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

beforeAll(() => newDataFolder(folder), LIMIT);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm start`, ready; `server` is the process that has the folder locked. */
async function npmStart(shell: string, before: string[] = []) {
  const [program = '', ...args] = [...before, 'npm', `--script-shell=${shell}`, 'start'];
  const port = await freePort();
  const own = { DATA_DIR: folder, DATABASE_URL: '', PORT: String(port), STOP_DELAY_SECONDS: '0' };
  const npm = spawn(program, args, { env: { ...process.env, OCR_LANGUAGES: 'off', ...own } });
  let text = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (text += chunk));
  await expect.poll(() => text, { timeout: LIMIT }).toContain('Docgraph is ready');
  return { npm, server: Number(readFileSync(join(folder, 'lock'), 'utf8')), output: () => text };
}

const ended = async (npm: ChildProcess): Promise<unknown> => (await once(npm, 'exit'))[0];

const runs = (pid: number) => existsSync(`/proc/${pid}`);

describe.runIf(process.platform === 'linux')('npm start (needs Linux)', () => {
  /** What the starts printed that ended at a signal, one after the other. */
  const outputs: string[] = [];

  it.each([['SIGINT', 'bash'], ...shells.map((shell) => ['SIGTERM', shell])])(
    'ends with 0 at %s in %s, after its server',
    async (signal, shell) => {
      const { npm, server, output } = await npmStart(shell);
      expect(runs(server)).toBe(true);
      npm.kill(signal as NodeJS.Signals);
      expect(await ended(npm)).toBe(0);
      expect(runs(server)).toBe(false);
      outputs.push(output());
    },
    LIMIT,
  );

  it('builds nothing when no source has changed', () => {
    expect(outputs.length).toBeGreaterThan(1);
    for (const output of outputs.slice(1)) expect(output).not.toMatch(/Generating|Compiling/);
  });

  it(
    'kills its server when that no longer reacts',
    async () => {
      const { npm, server } = await npmStart('bash');
      process.kill(server, 'SIGSTOP');
      npm.kill('SIGTERM');
      expect(await ended(npm)).toBe(137);
      expect(runs(server)).toBe(false);
    },
    LIMIT,
  );
});

const unshares = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

describe.runIf(unshares)('npm start as the first process of a container (needs the right to unshare)', () => {
  it(
    'ends with 0 at SIGTERM',
    async () => {
      const { npm } = await npmStart('sh', ['unshare', '--pid', '--fork', '--mount-proc']);
      const first = readFileSync(`/proc/${npm.pid}/task/${npm.pid}/children`, 'utf8').trim();
      process.kill(Number(first), 'SIGTERM');
      expect(await ended(npm)).toBe(0);
    },
    LIMIT,
  );
});
