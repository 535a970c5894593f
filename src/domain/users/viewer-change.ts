import { z } from 'zod';
import { inTransaction } from '../../db/transaction.ts';
import type { Context } from '../kernel/context.ts';
import { personName } from '../kernel/display-name.ts';
import { parse } from '../kernel/input.ts';
import { recordSecurityEvents } from './security-event.ts';
import type { User } from './user.ts';

const update = z.strictObject({ name: personName });

/** Renames the viewer and records a security event. */
export function updateViewer({ db, viewer }: Context, input: z.input<typeof update>): Promise<User> {
  const { name } = parse(update, input);
  const { userId: id, email } = viewer;
  return inTransaction(db, async (tx) => {
    await tx.prisma.user.update({ where: { id }, data: { name, modifiedAt: new Date() } });
    await recordSecurityEvents(tx, [
      { userId: id, kind: 'profile.renamed', data: { before: viewer.name, after: name } },
    ]);
    return { id, email, name };
  });
}
