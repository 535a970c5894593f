// `npm start`: builds where a source has changed, then runs the server. With --watch, `npm run dev`.
// Runs without a shell: signals that npm passes on reach the server, and npm gets its exit code.
import { isStopping, passSignals, ROOT, run, SERVER } from '../bin/launch.js';
import { isBuilt } from './build.js';
import { requireInstalled } from './installed.js';

const WINDOWS = process.platform === 'win32';
const WATCHED = ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'src/main.ts'];

async function start() {
  const watching = process.argv.includes('--watch');
  const build = watching ? ['scripts/generate.js'] : ['scripts/build.js'];
  const failed = !watching && isBuilt() ? 0 : await run(build, { cwd: ROOT, group: !WINDOWS });
  if (isStopping()) return 0;
  return failed || run(watching ? WATCHED : SERVER, { cwd: ROOT });
}

requireInstalled();
passSignals();
process.exit(await start());
