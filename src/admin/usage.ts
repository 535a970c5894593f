import { OFFLINE_COMMANDS } from './audit.ts';
import type { CommandSpec } from './command.ts';
import { COMMANDS } from './commands.ts';

/** How this program was called. */
const CALLED_AS = process.env.npm_lifecycle_event === 'admin' ? 'npm run admin --' : 'docgraph admin';

/** The command line is wrong. The message has the problem, if it is known, and describes all commands. */
export class UsageError extends Error {
  constructor(problem?: string) {
    const lines = Object.entries({ ...COMMANDS, ...OFFLINE_COMMANDS }).map(([name, command]) => {
      return `  ${[name, ...operands(command), ...options(command)].join(' ')}\n      ${command.description}`;
    });
    super([problem, `${CALLED_AS} <command>`, ...lines].filter(Boolean).join('\n'));
  }
}

const options = ({ options, optional, flags = [] }: CommandSpec) => [
  ...options.map((each) => (optional?.includes(each) ? `[--${each} …]` : `--${each} …`)),
  ...flags.map((each) => `[--${each}]`),
];

const operands = ({ operands = [], optionalOperands = 0 }: CommandSpec) =>
  operands.map((each, index) => (index >= operands.length - optionalOperands ? `[${each}]` : each));
