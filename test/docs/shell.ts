import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** From a pipe, fish would read everything before it runs anything. */
const OPTIONS: Record<string, string[]> = {
  bash: ['--norc', '--noprofile'],
  zsh: ['-f'],
  fish: ['--no-config', '-c', 'while read line; eval $line; end'],
};
/** In ms, how often output is checked; the test's own timeout ends the wait. */
const CHECK = 20;

/** A shell in `cwd` that keeps its variables from block to block. A command that fails writes to stderr. */
export function openShell(shell: string, cwd: string) {
  const quiet = { DATABASE_URL: '', DATA_DIR: '', NO_COLOR: '1', npm_config_update_notifier: 'false' };
  const options = { cwd, env: { ...process.env, ...quiet }, detached: true };
  const child = spawn(shell, OPTIONS[shell] ?? [], options);
  const [stdout, stderr] = [textFrom(child.stdout), textFrom(child.stderr)];
  const type = (text: string) => child.stdin.write(`${text}\n`);
  // 23: `head` has closed the pipe that curl writes to.
  if (shell !== 'fish') type(`trap 'code=$?; [ $code = 23 ] || echo "a command ended with $code" >&2' ERR`);
  let count = 0;

  return {
    type,
    output: () => stdout.text,
    /** Runs a block; `whileRunning` may type what it reads. Resolves to what the block printed. */
    async run(text: string, whileRunning?: () => Promise<void>): Promise<{ out: string; err: string }> {
      const [file, end] = [join(cwd, `block-${++count}.sh`), `end of block ${count}`];
      writeFileSync(file, text);
      const begin = [stdout.text.length, stderr.text.length];
      type(`. ./block-${count}.sh; echo '${end}'; echo '${end}' >&2`);
      await whileRunning?.();
      await until(() => stdout.text.includes(end) && stderr.text.includes(end));
      const [out = '', err = ''] = [stdout.text.slice(begin[0]), stderr.text.slice(begin[1])];
      return { out: out.slice(0, out.indexOf(end)), err: withoutWarnings(err.slice(0, err.indexOf(end))) };
    },
    /** Ends the shell with all that it started. */
    async close() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      process.kill(-(child.pid as number), 'SIGKILL');
      await ended;
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(CHECK);
}

export type Shell = ReturnType<typeof openShell>;

function textFrom(stream: NodeJS.ReadableStream) {
  const read = { text: '' };
  stream.on('data', (chunk) => {
    read.text += chunk;
  });
  return read;
}

/** npm warns of settings of the machine. */
const withoutWarnings = (text: string): string => text.replace(/^npm warn .*\n/gm, '');
