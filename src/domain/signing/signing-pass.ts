import { HOUR } from '../../lib/time.ts';
import type { Context } from '../kernel/context.ts';

/** How long a code that was given opens the signing to the browser in which it was given. */
export const PASS_LIFETIME = HOUR;

/** Says that the access code was given by who follows this very link; stored nowhere, and good for an hour. */
export const newPass = (ctx: Context, recipientId: string): string => {
  const until = Math.floor(ctx.storage.signedUrls.now()) + PASS_LIFETIME;
  return `${until}.${ctx.storage.signedUrls.linkSecret(meaning(ctx, recipientId, until))}`;
};

/** Whether it is such a pass, and still good. */
export function isValidPass(ctx: Context, recipientId: string, pass: string | null | undefined): boolean {
  const [, until = '', secret = ''] = /^(\d{1,15})\.(.+)$/.exec(pass ?? '') ?? [];
  return (
    Number(until) > ctx.storage.signedUrls.now() &&
    ctx.storage.signedUrls.opensLink(secret, meaning(ctx, recipientId, Number(until)))
  );
}

const meaning = ({ viewer }: Context, recipientId: string, until: number): string =>
  `pass ${recipientId} ${viewer.link ?? ''} ${until}`;
