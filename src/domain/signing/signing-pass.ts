import { HOUR } from '../../lib/time.ts';
import type { Context } from '../kernel/context.ts';

/** Milliseconds in which a pass unlocks the signing in the browser where the code was entered. */
export const PASS_LIFETIME = HOUR;

/**
 * Returns a pass: an authenticated message that a correct code was entered with this link, valid for PASS_LIFETIME. Not
 * stored.
 */
export const newPass = (ctx: Context, recipientId: string): string => {
  const until = Math.floor(ctx.storage.signedUrls.now()) + PASS_LIFETIME;
  return `${until}.${ctx.storage.signedUrls.linkSecret(passMessage(ctx, recipientId, until))}`;
};

/** Whether `pass` was issued for this recipient and link, and has not expired. */
export function isValidPass(ctx: Context, recipientId: string, pass: string | null | undefined): boolean {
  const [, until = '', secret = ''] = /^(\d{1,15})\.(.+)$/.exec(pass ?? '') ?? [];
  return (
    Number(until) > ctx.storage.signedUrls.now() &&
    ctx.storage.signedUrls.opensLink(secret, passMessage(ctx, recipientId, Number(until)))
  );
}

const passMessage = ({ viewer }: Context, recipientId: string, until: number): string =>
  `pass ${recipientId} ${viewer.link ?? ''} ${until}`;
