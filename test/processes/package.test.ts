import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/servers/processes.ts';

const LIMIT = 400_000;
const call = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'docgraph-package-'));
const program = join(folder, 'node_modules/.bin/docgraph');
const env = { ...process.env, DATABASE_URL: '', DATA_DIR: '', OCR_LANGUAGES: 'off', PUBLIC_URL: '' };

/** The files of the tarball. */
let files: string[];
let server: ChildProcess | undefined;

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const { stdout } = await call('npm', ['pack', '--json', '--pack-destination', folder]);
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  files = packed.files.map(({ path }: { path: string }) => path);
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await call('npm', ['install', ...options, `./${packed.filename}`], { cwd: folder });
}, LIMIT);

afterAll(() => {
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command of the package in the folder; resolves to its exit code and what it printed. */
const docgraph = (...args: string[]) =>
  call(program, args, { cwd: folder, env, maxBuffer: 2 ** 24 }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  );

/** Starts the server without arguments, in the folder, and waits until it is ready. */
async function serve(): Promise<{ child: ChildProcess; output: () => string }> {
  const child = spawn(program, {
    cwd: folder,
    env: { ...env, PORT: `${await freePort()}`, STOP_DELAY_SECONDS: '0' },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  await expect.poll(() => text, { timeout: 120_000 }).toContain('Sign in as');
  return { child, output: () => text };
}

describe('the package of npm pack', () => {
  it('has the program, the migrations and the demo, and no sources', () => {
    for (const path of ['bin/docgraph.js', 'dist/src/main.js', 'prisma/migrations/SHA256SUMS'])
      expect(files).toContain(path);
    expect(
      files.filter((path) => /^(src|test|scripts|dist\/scripts)\/|\.(map|ts|tsx)$|tsbuildinfo/.test(path)),
    ).toEqual([]);
  });

  it('installs no package with an install script', () => {
    const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    const packages: [string, { hasInstallScript?: boolean }][] = Object.entries(lock.packages);
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });

  it('prints its version and its commands', async () => {
    expect((await docgraph('--version')).output).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await docgraph('--help')).output).toContain('docgraph tour');
    expect(await docgraph('nothing')).toEqual({
      code: 1,
      output: expect.stringContaining('no command nothing'),
    });
  });

  it('names its administration as it is called', async () => {
    const { code, output } = await docgraph('admin');
    expect(code).toBe(1);
    expect(output).toMatch(/^docgraph admin <command>/);
  });

  it(
    'serves from an empty folder, passes the tour, and ends with 0 at SIGTERM',
    async () => {
      const { child, output } = await serve();
      server = child;
      expect(output().match(/^ {2}.*http:\/\/localhost:\d+\/\S+$/gm)).toHaveLength(3);
      expect(existsSync(join(folder, 'data/demo.json'))).toBe(true);
      expect(await docgraph('tour')).toEqual({
        code: 0,
        output: expect.stringContaining('everything holds'),
      });
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect((await ended)[0]).toBe(0);
    },
    LIMIT,
  );
});
