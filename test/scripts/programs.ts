import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a script of package.json in the repository; answers how it ended and all that it said. */
export function npmRun(
  name: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  return new Promise((resolve) => {
    execFile('npm', ['run', '--silent', name, '--', ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}
