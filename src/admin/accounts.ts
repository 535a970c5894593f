import { hashPassword } from '../auth/password.ts';
import { databaseTime } from '../db/clock.ts';
import { inTransaction } from '../db/transaction.ts';
import { AddressTaken, setEmail } from '../domain/accounts/email-owner.ts';
import { personName } from '../domain/kernel/display-name.ts';
import { conflict, notFound } from '../domain/kernel/errors.ts';
import { email as emailInput, parse } from '../domain/kernel/input.ts';
import { recordSecurityEvents } from '../domain/users/security-event.ts';
import { newId } from '../lib/id.ts';
import { newSecret } from '../lib/secret.ts';
import type { Command } from './command.ts';

/** The configured password, or a generated one, which only `description` reveals. */
export const passwordOf = (configured: string | undefined): { password: string; description: string } => {
  const password = configured || newSecret('dgb_').slice(4, 24);
  return {
    password,
    description: configured ? 'the password of ADMIN_PASSWORD' : `the password ${password}`,
  };
};

export const ACCOUNT_COMMANDS: Record<string, Command> = {
  'create-user': {
    description: 'Creates an account; prints its password unless ADMIN_PASSWORD is set.',
    options: ['email', 'name'],
    async run({ db, password: configured }, { email, name }) {
      const data = {
        id: newId('User'),
        emailVerifiedAt: await databaseTime(db),
        email: parse(emailInput, email, 'email'),
        name: parse(personName, name, 'name'),
      };
      const { password, description } = passwordOf(configured);
      const passwordHash = await hashPassword(password);
      const { count } = await db.prisma.user.createMany({
        data: [{ ...data, passwordHash }],
        skipDuplicates: true,
      });
      if (count === 0) throw conflict('There is an account with this e-mail address.');
      return `${data.email} (${data.id}) can sign in with ${description}`;
    },
  },
  'set-email': {
    description:
      'Changes the e-mail address of an account to the one of --to, which counts as verified. With the same address, verifies it.',
    options: ['email', 'to'],
    async run({ db }, { email, to: newEmail }) {
      const from = parse(emailInput, email, 'email');
      const to = parse(emailInput, newEmail, 'to');
      const user = await db.prisma.user.findUnique({ where: { email: from } });
      if (!user) throw notFound('User');
      const actor = { viewer: { userId: null, credentialId: null }, requestId: 'admin' };
      await inTransaction(db, async (tx) => {
        await recordSecurityEvents(tx, [{ userId: user.id, kind: 'email.setByAdministrator' }]);
        await setEmail(actor, tx, { userId: user.id, from, to });
      }).catch((error) => {
        throw error instanceof AddressTaken ? conflict('Another account has this address.') : error;
      });
      return `${to} is the address of ${user.id}`;
    },
  },
};
