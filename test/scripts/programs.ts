import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Ended {
  code: number;
  output: string;
}

/** Runs a script of package.json in the repository; answers how it ended and all that it said. */
export const npmRun = (name: string, args: string[] = [], env: Record<string, string> = {}): Promise<Ended> =>
  run('npm', ['run', '--silent', name, '--', ...args], env);

/** The same of a file in TypeScript. */
export const tsxRun = (file: string, args: string[] = [], env: Record<string, string> = {}): Promise<Ended> =>
  run(process.execPath, ['--import', 'tsx', file, ...args], env);

function run(program: string, args: string[], env: Record<string, string>): Promise<Ended> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}
