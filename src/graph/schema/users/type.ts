import { relationByColumn } from '../../../domain/kernel/relation.ts';
import { findAuthors, findUsers, type User as UserRow } from '../../../domain/users/user.ts';
import { isServiceAddress } from '../../../lib/text/service-address.ts';
import type { GraphContext } from '../../engine/context.ts';
import { builder } from '../kernel/builder.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';

const UserKind = builder.enumType('UserKind', {
  description: 'Who an account is.',
  values: {
    PERSON: { description: 'A person.' },
    SERVICE: {
      description: 'The service account of an application, which acts by itself and gets no mails.',
    },
  } as const,
});

export const User = builder.objectRef<UserRow>('User').implement({
  scope: [],
  description: 'A person with an account, or the service account of an application.',
  interfaces: [Node],
  extensions: IN_PAST,
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Full name; of a service account, that of its application.',
    }),
    kind: t.field({
      type: UserKind,
      description: 'Whether it is a person.',
      resolve: ({ email }) => (isServiceAddress(email) ? 'SERVICE' : 'PERSON'),
    }),
    email: t.exposeString('email', {
      description:
        'E-mail address, in lower case, its domain in ASCII. That of a service account ends in `@service-account.invalid`, and cannot be used.',
    }),
  }),
});

nodeType('User', ({ load }, id) => load.one(findUsers, id));

/** Extensions of a field that `author` resolves; `column` holds the person's id. */
export const toAuthor = (column: string) => ({ ...IN_PAST, relation: relationByColumn(column, findAuthors) });

/** Who created or changed an object, for its createdBy and modifiedBy. */
export const author = ({ load }: GraphContext, id: string): Promise<UserRow> =>
  load.one(findAuthors, id) as Promise<UserRow>;
