import { conflict } from '../domain/kernel/errors.ts';
import { email as emailInput, parse } from '../domain/kernel/input.ts';
import { obstacleText } from '../domain/personal-data/erase-account.ts';
import { erasePerson } from '../domain/personal-data/erase-person.ts';
import { type ErasureItem, planErasure } from '../domain/personal-data/erasure-plan.ts';
import { exportPerson, jsonLines } from '../domain/personal-data/export.ts';
import { accountWithAddress, findPerson, interruptedErasure } from '../domain/personal-data/person.ts';
import { redactionReason } from '../domain/redaction/redaction.ts';
import type { Command } from './command.ts';

const addressOf = (email: string | undefined): string => parse(emailInput, email, 'email');

const SECTIONS = [
  ['REMOVED', 'Removed'],
  ['REPLACED', 'Replaced'],
  ['KEPT', 'Kept'],
] as const;

function describe(items: readonly ErasureItem[], remarks: readonly string[]): string[] {
  const sections = SECTIONS.flatMap(([effect, title]) => {
    const listed = items.filter((item) => item.effect === effect);
    if (listed.length === 0) return [];
    return [
      `${title}:`,
      ...listed.map(({ kind, count, reason }) => `  ${count} ${kind}${reason ? ` – ${reason}` : ''}`),
    ];
  });
  return [...sections, 'In any case:', ...remarks.map((remark) => `  ${remark}`)];
}

/** The rights of the person of an account: GDPR Art. 15, 17 and 20. */
export const PERSONAL_DATA_COMMANDS: Record<string, Command> = {
  'export-person': {
    description: 'Prints all that the installation holds about an account, as JSON Lines; no secrets.',
    options: [],
    operands: ['email'],
    async run({ db }, { email }) {
      const person = await findPerson(db, await accountWithAddress(db, addressOf(email)));
      let last = '';
      for await (const records of exportPerson(db, person)) {
        if (last) process.stdout.write(last);
        last = jsonLines(records);
      }
      return last.trimEnd();
    },
  },
  'erase-person': {
    description:
      'Prints what the erasure of an account would remove, replace and keep, and changes nothing; with --yes, does it, for good. An erasure that was interrupted goes on. Its former address gets a mail.',
    options: ['reason'],
    flags: ['yes'],
    operands: ['email'],
    async run({ db, storage, limits }, { email, yes, ...values }) {
      const address = addressOf(email);
      const userId = (await interruptedErasure(db, address)) ?? (await accountWithAddress(db, address));
      const reason = parse(redactionReason, values.reason, 'reason');
      if (yes) {
        const report = await erasePerson({ db, storage, limits }, userId, { by: 'OPERATOR', reason });
        return [`${userId} was erased.`, ...describe(report.items, report.remarks)].join('\n');
      }
      const { items, obstacles, remarks } = await planErasure(db, await findPerson(db, userId));
      const plan = [`This would be done with ${userId}:`, ...describe(items, remarks)];
      if (obstacles.length > 0) throw conflict([...plan, obstacleText(obstacles)].join('\n'));
      return [...plan, 'Nothing was changed. With --yes it is erased for good.'].join('\n');
    },
  },
};
