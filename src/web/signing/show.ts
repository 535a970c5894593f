import { accountTimeZone } from '../../domain/signing/signing-day.ts';
import type { OpenedSigning } from '../../domain/signing/signing-open.ts';
import { viewSigning } from '../../domain/signing/signing-view.ts';
import type { SignatureField } from '../../generated/prisma/client.ts';
import { publicPage } from '../public/public-pages.ts';
import { Signed } from '../public/states.tsx';
import type { OpenedLink } from './link.ts';
import { type SubmittedFields, sheetsOf, signedValue, signingProps } from './page.ts';
import { Signing } from './view.tsx';

/** The page on which the document is signed. */
export async function signingPage(
  { ctx, base }: OpenedLink,
  signing: OpenedSigning,
  submitted?: SubmittedFields,
  errors?: Parameters<typeof signingProps>[2],
): Promise<Response> {
  const [view, timeZone] = await Promise.all([
    viewSigning(ctx, signing),
    accountTimeZone(ctx.db, ctx.viewer, signing),
  ]);
  const props = signingProps({ base, signing, view, timeZone }, submitted, errors);
  return publicPage(Signing(props), { status: errors ? 422 : 200, style: props.style });
}

/** Other values that came after the signature. `fields`: what was signed; `timeZone`: of the browser that sent them. */
interface Repeat {
  fields: readonly SignatureField[];
  timeZone: string | null;
}

/** The page after the signature; after a repeat, with what was signed, and when. */
export async function signedPage(
  { ctx, base }: OpenedLink,
  signing: OpenedSigning,
  repeat?: Repeat,
): Promise<Response> {
  const view = await viewSigning(ctx, signing);
  const { sheets, style } = sheetsOf(view);
  const { documentName, sessionState, completedAt } = signing;
  const zone = repeat && (repeat.timeZone ?? (await accountTimeZone(ctx.db, ctx.viewer, signing)) ?? 'UTC');
  const shown = {
    ...{ base, style, documentName, completed: sessionState === 'COMPLETED', sheets },
    ...(repeat && {
      repeat: { at: timeIn(completedAt, zone), values: repeat.fields.map(signedValue) },
    }),
  };
  return publicPage(Signed(shown), { status: repeat ? 409 : 200, style });
}

const timeIn = (at: Date | null, timeZone = 'UTC'): string =>
  at
    ? `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at)} (${timeZone})`
    : '';
