import { z } from 'zod';
import type { Context } from '../kernel/context.ts';
import { badValue } from '../kernel/errors.ts';
import { email, parse } from '../kernel/input.ts';
import { beginErasure, type ErasureReport, finishErasure } from '../personal-data/erase-person.ts';
import { type ErasurePlan, planErasure, REMARKS } from '../personal-data/erasure-plan.ts';
import { findPerson } from '../personal-data/person.ts';
import { freshSessionOf, ownSessionOf } from './own-session.ts';

/** What the erasure of the viewer's account would do, and what prevents it. Throws FORBIDDEN unless in a browser session. */
export async function planOwnErasure(ctx: Context): Promise<ErasurePlan> {
  const { db, viewer } = ownSessionOf(ctx);
  return planErasure(db, await findPerson(db, viewer.userId));
}

const confirmation = z.strictObject({ email });

/** `isFinished`: false if the account is erased, and what is left follows in the background. */
export interface OwnErasure extends Omit<ErasureReport, 'userId'> {
  isFinished: boolean;
}

/**
 * Erases the account of the viewer, who types its address to confirm it. Throws BAD_USER_INPUT for another address, CONFLICT for
 * the only owner of an organization, FORBIDDEN unless in a browser session with a proof within ten minutes.
 */
export async function eraseAccount(ctx: Context, input: z.input<typeof confirmation>): Promise<OwnErasure> {
  const { viewer, db } = await freshSessionOf(ctx);
  if (parse(confirmation, input).email !== viewer.email)
    throw badValue('email', 'is not the address of your account');
  const site = { db, storage: ctx.storage, limits: ctx.limits };
  const cause = { by: 'PERSON', reason: 'The person asked for it' } as const;
  const tally = await beginErasure(site, viewer.userId, cause);
  try {
    const { items, remarks } = await finishErasure(site, viewer.userId, tally);
    return { items, remarks, isFinished: true };
  } catch (error) {
    ctx.report?.(error);
    return { items: [], remarks: REMARKS, isFinished: false };
  }
}
