import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { label, parse, requireBatchSize } from '../kernel/input.ts';

/** A setting of a client, stored for its user. The server does not read it. */
export interface Preference {
  name: string;
  value: string;
}

const MAX_PREFERENCES = 100;

const update = z.strictObject({
  preferences: z.array(
    z.strictObject({
      name: z
        .string()
        .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, hyphens or underscores'),
      value: label(2_000),
    }),
  ),
});

/** The viewer's preferences, by name. */
export const findPreferences = ({ db, viewer }: Context): Promise<Preference[]> =>
  db.query<Preference>(
    sql`SELECT name, value FROM user_preferences WHERE user_id = ${viewer.userId} ORDER BY name`,
  );

/**
 * Stores preferences of the viewer; an empty value removes one. Throws CONFLICT above 100 of them. Records no event:
 * nobody else sees them.
 */
export function updatePreferences(ctx: Context, input: z.input<typeof update>): Promise<void> {
  const { preferences } = parse(update, input);
  requireBatchSize(preferences, MAX_PREFERENCES, 'preferences');
  const { userId } = ctx.viewer;
  const byName = new Map(preferences.map(({ name, value }) => [name, value]));
  return inTransaction(ctx.db, async (tx) => {
    await tx.query(sql`SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
    await tx.prisma.userPreference.deleteMany({ where: { userId, name: { in: [...byName.keys()] } } });
    await tx.prisma.userPreference.createMany({
      data: [...byName].filter(([, value]) => value !== '').map(([name, value]) => ({ userId, name, value })),
    });
    if ((await tx.prisma.userPreference.count({ where: { userId } })) > MAX_PREFERENCES)
      throw conflict(`At most ${MAX_PREFERENCES} preferences are stored.`, 'preferences');
  });
}
