import { type DeprecatedCaller, deprecatedCallers } from '../domain/usage/deprecated-callers.ts';
import { deprecationText } from '../lib/deprecation/deprecation.ts';
import { DEPRECATIONS } from '../lib/deprecation/deprecations.ts';
import type { Command } from './command.ts';

export const DEPRECATION_COMMANDS: Record<string, Command> = {
  deprecations: {
    description:
      'Lists what is deprecated, and the API keys and applications that used it in the last 30 days, with whom to write to.',
    options: [],
    async run({ db }) {
      const callers = await deprecatedCallers(db);
      const names = new Set([...Object.keys(DEPRECATIONS), ...callers.map(({ name }) => name)]);
      return [...names].flatMap((name) => linesOf(name, callers)).join('\n');
    },
  },
};

function linesOf(name: string, callers: readonly DeprecatedCaller[]): string[] {
  const deprecation = DEPRECATIONS[name];
  const users = callers.filter((each) => each.name === name);
  return [
    `${name}: ${deprecation ? deprecationText(deprecation) : 'It is not there any more.'}`,
    ...(users.length === 0 ? ['  used by nobody'] : users.map(userLine)),
  ];
}

const userLine = ({ usedBy, label, owner, count, lastAt }: DeprecatedCaller): string =>
  `  ${usedBy} ${label === null ? '(deleted)' : `${JSON.stringify(label)} of ${JSON.stringify(owner)}`}: ${count} times, last ${lastAt.toISOString()}`;
