import { relationByColumn } from '../../../domain/kernel/relation.ts';
import { findAuthors, findUsers, type User as UserRow } from '../../../domain/users/user.ts';
import type { GraphContext } from '../../engine/context.ts';
import { builder } from '../kernel/builder.ts';
import { Node, nodeType } from '../kernel/node.ts';

export const User = builder.objectRef<UserRow>('User').implement({
  scope: [],
  description: 'A person with an account.',
  interfaces: [Node],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Full name.' }),
    email: t.exposeString('email', { description: 'E-mail address, in lower case, its domain in ASCII.' }),
  }),
});

nodeType('User', ({ load }, id) => load.one(findUsers, id));

/** Extensions of a field that `author` resolves; `column` holds the person's id. */
export const toAuthor = (column: string) => ({ relation: relationByColumn(column, findAuthors) });

/** Who created or changed an object, for its createdBy and modifiedBy. */
export const author = ({ load }: GraphContext, id: string): Promise<UserRow> =>
  load.one(findAuthors, id) as Promise<UserRow>;
