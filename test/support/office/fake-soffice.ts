import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { withFolder } from '../../../src/files/office/libre-office.ts';
import { findSandbox, type Sandbox } from '../../../src/files/office/sandbox.ts';

const SCRIPT = `#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = --outdir ] && out=$2; shift; done
. "$1"
`;

/** A program in place of LibreOffice: the file that it converts is the shell script that it runs, in which \`$out\` is the folder of the output. */
export function fakeSoffice(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-fake-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'program'));
  const program = join(folder, 'program', 'soffice');
  writeFileSync(program, SCRIPT);
  chmodSync(program, 0o755);
  return program;
}

/** The sandboxes that work on this machine, and none. */
export async function sandboxes(): Promise<Sandbox[]> {
  const best = await withFolder(findSandbox);
  const hasUnshare = spawnSync('unshare', ['-rn', '-pf', '--mount-proc', 'true']).status === 0;
  return [
    ...(best ? [best] : []),
    ...(hasUnshare && best !== 'unshare' ? (['unshare'] as const) : []),
    'none',
  ];
}
