import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { typeOfId } from '../../lib/id.ts';
import { badInput, conflict } from '../kernel/errors.ts';
import { name as nameInput, parse } from '../kernel/input.ts';
import type { Bag } from './bag-check.ts';
import { readRows } from './import-lines.ts';

interface Account {
  id: string;
  email: string;
}

/**
 * The ids of the people of a bag who have an account already: the same id with the same address, which the caller has to declare
 * to be the same person. Throws CONFLICT where only one of the two is the same: neither account may become that of the other.
 */
export async function presentPeople(
  tx: Transaction,
  bag: Bag,
  areSamePeople: boolean,
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for await (const lines of readRows(bag, 'users')) {
    const people = lines.map(({ row }) => accountOf(row));
    const byId = new Map(people.map((each) => [each.id, each.email]));
    const accounts = await tx.query<Account>(sql`SELECT u.id, u.email FROM users u
      WHERE u.id = ANY(${people.map(({ id }) => id)}) OR u.email = ANY(${people.map(({ email }) => email)})`);
    for (const { id, email } of accounts) {
      if (byId.get(id) !== email)
        throw conflict(
          `The address or the id of an account is that of another person here: ${email} (${id}).`,
        );
      present.add(id);
    }
  }
  if (present.size > 0 && !areSamePeople)
    throw conflict(
      `${present.size} people have an account here with the same id and address. Confirm with --same-people that they are the same.`,
    );
  return present;
}

/** Of people, service accounts and erased accounts, as they are stored. */
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** Throws BAD_USER_INPUT for what no account here has. */
function accountOf({ id, email, name }: Record<string, unknown>): Account {
  if (typeof id !== 'string' || typeOfId(id) !== 'User') throw badInput(`${id} is no id of a person.`);
  if (typeof email !== 'string' || !ADDRESS.test(email) || email !== email.toLowerCase())
    throw badInput(`${email} is no address of a person.`);
  parse(nameInput, name as string, 'name');
  return { id, email };
}
