// `npm run format`: formats all files, and mends what the linter can mend.
import { spawnSync } from 'node:child_process';
import { ROOT } from './fingerprint.js';
import { BIOME, installLinters } from './linters.js';

installLinters();
process.exitCode =
  spawnSync(process.execPath, [BIOME, 'check', '--write', '.'], {
    cwd: ROOT,
    stdio: 'inherit',
  }).status ?? 1;
