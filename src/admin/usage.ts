import { OFFLINE_COMMANDS } from './audit.ts';
import type { CommandSpec } from './command.ts';
import { COMMANDS } from './commands.ts';

/** A usage error. The message describes all commands. */
export class Usage extends Error {
  constructor(fault?: string) {
    const lines = Object.entries({ ...COMMANDS, ...OFFLINE_COMMANDS }).map(([name, command]) => {
      return `  ${[name, ...operands(command), ...options(command)].join(' ')}\n      ${command.description}`;
    });
    super([fault, 'npm run admin -- <command>', ...lines].filter(Boolean).join('\n'));
  }
}

const options = ({ options, optional }: CommandSpec) =>
  options.map((each) => (optional?.includes(each) ? `[--${each} …]` : `--${each} …`));

const operands = ({ operands = [], optionalOperands: spare = 0 }: CommandSpec) =>
  operands.map((each, index) => (index >= operands.length - spare ? `[${each}]` : each));
