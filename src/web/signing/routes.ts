import { type Context as Call, Hono } from 'hono';
import { parse, serialize } from 'hono/utils/cookie';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError } from '../../domain/kernel/errors.ts';
import { declineSignature, signDocument } from '../../domain/signing/sign.ts';
import { findValueErrors } from '../../domain/signing/sign-values.ts';
import { signedFile } from '../../domain/signing/signing.ts';
import { accountTimeZone } from '../../domain/signing/signing-day.ts';
import { type OpenedSigning, openSigning } from '../../domain/signing/signing-open.ts';
import { newPass, PASS_LIFETIME } from '../../domain/signing/signing-pass.ts';
import { type SigningStatus, signingStatus } from '../../domain/signing/signing-status.ts';
import { signingCopy, viewSigning } from '../../domain/signing/signing-view.ts';
import { SECOND } from '../../lib/time.ts';
import { localeOf } from '../public/page-locale.ts';
import { PAGE_SCRIPT } from '../public/page-script.ts';
import {
  contextOfLink,
  formOf,
  type PublicPageService,
  publicEndpoint,
  publicPage,
  seeOther,
} from '../public/public-pages.ts';
import { AccessCode, Notice, Signed } from '../public/states.tsx';
import { FINAL_STATUSES, LOCKED, NOTICES } from './notices.ts';
import {
  CONSENT,
  readSubmittedFields,
  type SubmittedFields,
  sheetsOf,
  shownPages,
  signingProps,
} from './page.ts';
import { Signing } from './view.tsx';

/** Drawn signatures are sent as data URLs, several in a form. */
const MAX_SIGNING_FORM_BYTES = 4 * 2 ** 20;

const PICTURE_WIDTHS = new Set(['900', '1600']);

export interface SigningRouterOptions extends PublicPageService {
  /** Renders a page (from 1) of a stored PDF, or a picture; null if there is none. */
  pictures: (
    file: { organizationId: string; key: string; size: number; contentType: string },
    page: number,
    width: number,
  ) => Promise<{ bytes: Uint8Array<ArrayBuffer>; contentType: string } | null>;
}

/** The pages of a signer's link: the document, signing or declining it, and the signed copy. */
export function signingRouter(service: SigningRouterOptions): Hono {
  const app = new Hono();
  const route = (endpoint: (service: SigningRouterOptions, call: Call) => Promise<Response>) =>
    publicEndpoint(service, (call) => endpoint(service, call));
  const link = '/sign/:recipientId/:secret';
  app.get(PAGE_SCRIPT.path, PAGE_SCRIPT.response);
  app.get(link, route(showSigning));
  app.post(link, route(submitSignature));
  app.post(`${link}/code`, route(submitAccessCode));
  app.post(`${link}/decline`, route(submitDecline));
  app.get(`${link}/pages/:page`, route(showPage));
  app.get(`${link}/copy`, route(downloadCopy));
  return app;
}

/** A signer's link with the status of its signing. */
interface OpenedLink {
  service: SigningRouterOptions;
  call: Call;
  ctx: Context;
  base: string;
  recipientId: string;
  sessionId: string;
  status: SigningStatus;
  pass: string | undefined;
}

async function openLink(service: SigningRouterOptions, call: Call): Promise<OpenedLink> {
  const { recipientId, secret } = call.req.param() as { recipientId: string; secret: string };
  const ctx = contextOfLink(service, call, secret);
  const { sessionId, status } = await signingStatus(ctx, recipientId);
  const pass = parse(call.req.header('cookie') ?? '', PASS)[PASS];
  return { service, call, ctx, base: `/sign/${recipientId}/${secret}`, recipientId, sessionId, status, pass };
}

/** Throws CONFLICT if the signing cannot be opened yet, or no longer. */
const requireOpenSigning = ({
  ctx,
  sessionId,
  recipientId,
  pass,
  status,
}: OpenedLink): Promise<OpenedSigning> => {
  if (status !== 'READY' && status !== 'SIGNED') throw new DomainError('CONFLICT', NOTICES[status].text);
  return openSigning(ctx, { sessionId, recipientId, pass });
};

async function showSigning(service: SigningRouterOptions, call: Call): Promise<Response> {
  const link = await openLink(service, call);
  const { status, base } = link;
  if (status !== 'READY' && status !== 'SIGNED')
    return publicPage(Notice(NOTICES[status]), { status: FINAL_STATUSES.includes(status) ? 410 : 200 });
  const signing = await requireOpenSigning(link);
  if (signing.locked && signing.codeLockedAt) return publicPage(Notice(LOCKED), { status: 403 });
  if (signing.locked) return publicPage(AccessCode({ action: `${base}/code`, signer: signing }));
  return status === 'SIGNED' ? signedPage(link, signing) : signingPage(link, signing);
}

async function signingPage(
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

async function signedPage({ ctx, base }: OpenedLink, signing: OpenedSigning): Promise<Response> {
  const view = await viewSigning(ctx, signing);
  const { sheets, style } = sheetsOf(view);
  const { documentName, sessionState } = signing;
  const completed = sessionState === 'COMPLETED';
  return publicPage(Signed({ base, style, documentName, completed, sheets }), { style });
}

async function submitSignature(service: SigningRouterOptions, call: Call): Promise<Response> {
  const link = await openLink(service, call);
  const { ctx, base, sessionId, recipientId, pass, status } = link;
  if (status !== 'READY') return seeOther(base);
  const signing = await requireOpenSigning(link);
  if (signing.locked) return seeOther(base);
  const { ownFields } = await viewSigning(ctx, signing);
  const submitted = readSubmittedFields(
    await formOf(call, MAX_SIGNING_FORM_BYTES),
    ownFields,
    localeOf(call.req.header('accept-language')),
  );
  const values = findValueErrors(ownFields, submitted.values);
  const consent = submitted.consent ? undefined : 'Agree to sign electronically.';
  if (values.size > 0 || consent) return signingPage(link, signing, submitted, { values, consent });
  try {
    await signDocument(ctx, {
      sessionId,
      recipientId,
      pass,
      consent: CONSENT,
      timeZone: submitted.timeZone,
      values: [...submitted.values].map(([fieldId, value]) => ({ fieldId, value })),
    });
  } catch (error) {
    const fieldErrors = fieldErrorsIn(error, submitted);
    if (!fieldErrors) throw error;
    return signingPage(link, signing, submitted, { values: fieldErrors });
  }
  return seeOther(base);
}

/** The error that the domain found in a value, by field id; the error names its index in the list. */
function fieldErrorsIn(error: unknown, submitted: SubmittedFields): Map<string, string> | undefined {
  if (!(error instanceof DomainError) || error.code !== 'BAD_USER_INPUT') return undefined;
  const index = /^values\.(\d+)\./.exec(error.at ?? '')?.[1];
  const fieldId = index && [...submitted.values.keys()][Number(index)];
  return fieldId ? new Map([[fieldId, error.message.replace(`${error.at}: `, '')]]) : undefined;
}

async function submitDecline(service: SigningRouterOptions, call: Call): Promise<Response> {
  const { ctx, base, sessionId, recipientId, pass, status } = await openLink(service, call);
  const reason = ((await formOf(call)).get('reason') ?? '').trim();
  if (status === 'READY') await declineSignature(ctx, { sessionId, recipientId, pass, reason });
  return seeOther(base);
}

const PASS = 'docgraph_signing';

/** A correct access code opens the signing in this browser, for the lifetime of its pass cookie. */
async function submitAccessCode(service: SigningRouterOptions, call: Call): Promise<Response> {
  const link = await openLink(service, call);
  const { ctx, base, sessionId, recipientId } = link;
  const signing = await requireOpenSigning(link);
  const accessCode = ((await formOf(call)).get('code') ?? '').trim();
  const again = (text: string, status: number) =>
    publicPage(AccessCode({ action: `${base}/code`, signer: signing, error: { at: 'code', text } }), {
      status,
    });
  if (accessCode === '') return again('Enter the access code.', 422);
  try {
    await openSigning(ctx, { sessionId, recipientId, accessCode });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'FORBIDDEN') return again('This access code is wrong.', 422);
    if (error.code === 'CONFLICT') return publicPage(Notice(LOCKED), { status: 403 });
    if (error.code === 'RATE_LIMITED') return again('Too many attempts. Try again later.', 429);
    throw error;
  }
  const secure = service.publicUrl.startsWith('https:');
  const cookie = serialize(PASS, newPass(ctx, recipientId), {
    path: base,
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    maxAge: PASS_LIFETIME / SECOND,
  });
  return seeOther(base, { 'Set-Cookie': cookie });
}

/** The opened signing. Throws FORBIDDEN until the access code has been entered. */
async function openUnlocked(service: SigningRouterOptions, call: Call) {
  const link = await openLink(service, call);
  const signing = await requireOpenSigning(link);
  if (signing.locked) throw new DomainError('FORBIDDEN', 'The access code is required.');
  return { ctx: link.ctx, signing };
}

async function showPage(service: SigningRouterOptions, call: Call): Promise<Response> {
  const { ctx, signing } = await openUnlocked(service, call);
  const signed = await signedFile(ctx, signing);
  const { organizationId, blobId, size, contentType } = signed;
  const { page, width = '900' } = { page: call.req.param('page') ?? '', width: call.req.query('width') };
  const isValid = shownPages(signed) > 0 && /^[1-9]\d{0,5}$/.test(page) && PICTURE_WIDTHS.has(width);
  const file = { organizationId, key: blobId, size: Number(size), contentType };
  const image = isValid ? await service.pictures(file, Number(page), Number(width)) : null;
  if (!image) return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  return new Response(image.bytes, {
    headers: {
      'Content-Type': image.contentType,
      'Cache-Control': 'private, max-age=300',
      'Content-Security-Policy': "default-src 'none'",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    },
  });
}

async function downloadCopy(service: SigningRouterOptions, call: Call): Promise<Response> {
  const { ctx, signing } = await openUnlocked(service, call);
  return seeOther(await signingCopy(ctx, signing));
}
