import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { SECOND } from '../../lib/time.ts';

/** How a program is kept from the network and, by bubblewrap, from the files of the server. */
export type Sandbox = 'bubblewrap' | 'unshare' | 'none';

/** A program that may use the files below `folder`, which has a folder `tmp`. */
interface Confined {
  program: string;
  args: readonly string[];
  folder: string;
}

/** What LibreOffice reads of the system. */
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store'],
  ...['/etc/alternatives', '/etc/fonts', '/etc/ld.so.cache', '/etc/libreoffice', '/etc/passwd'],
  ...['/var/cache/fontconfig', '/var/lib/libreoffice'],
];

/** The program itself, where it is not of the system: in /opt/libreoffice7.6/program it needs the folder above. */
const programFolder = (program: string): string => dirname(dirname(program));

function bubblewrapArgs({ program, folder }: Confined): string[] {
  const shared = SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]);
  const own = programFolder(program);
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...shared,
    ...['--proc', '/proc', '--dev', '/dev', '--bind', join(folder, 'tmp'), '/tmp'],
    ...(SYSTEM.some((path) => own === path || own.startsWith(`${path}/`)) ? [] : ['--ro-bind', own, own]),
    ...['--bind', folder, folder, '--chdir', folder, '--'],
  ];
}

const UNSHARE_ARGS = [
  ...['--map-root-user', '--net', '--pid', '--fork', '--kill-child'],
  ...['--mount', '--mount-proc', '--'],
  // The first process of a namespace ignores most signals: that is a shell, and not the program.
  ...['/bin/sh', '-c', '"$@"; exit $?', 'sh'],
];

/** The command that runs the program in this sandbox. */
export function confine(sandbox: Sandbox, confined: Confined): [string, string[]] {
  const command = [confined.program, ...confined.args];
  if (sandbox === 'bubblewrap') return ['bwrap', [...bubblewrapArgs(confined), ...command]];
  if (sandbox === 'unshare') return ['unshare', [...UNSHARE_ARGS, ...command]];
  return [confined.program, [...confined.args]];
}

/** The search path, and nothing else: what is in the environment of the server may be secret. */
export const PATH = '/usr/local/bin:/usr/bin:/bin';

const PROBE_TIMEOUT = 5 * SECOND;

/** Whether this sandbox works here: in many containers, neither does. */
async function works(sandbox: Sandbox, folder: string): Promise<boolean> {
  const [command, args] = confine(sandbox, { program: '/bin/true', args: [], folder });
  const child = spawn(command, args, { env: { PATH }, stdio: 'ignore', timeout: PROBE_TIMEOUT });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false)).on('close', (code) => resolve(code === 0));
  });
}

/** The best sandbox that works here; undefined if none does. `folder` has a folder `tmp`. */
export async function findSandbox(folder: string): Promise<Sandbox | undefined> {
  for (const sandbox of ['bubblewrap', 'unshare'] as const) if (await works(sandbox, folder)) return sandbox;
  return undefined;
}
