import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const LOADER = import.meta.resolve('tsx');

/** Runs a script of scripts/ in a folder, and answers how it ended and all that it said. */
export function runScript(
  name: string,
  cwd: string,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const script = fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', LOADER, script, ...args], { cwd }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}
