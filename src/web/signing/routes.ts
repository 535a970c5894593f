import { type Context as Call, Hono } from 'hono';
import { serialize } from 'hono/utils/cookie';
import { DomainError } from '../../domain/kernel/errors.ts';
import { signedFile } from '../../domain/signing/signing.ts';
import { openSigning } from '../../domain/signing/signing-open.ts';
import { newPass, PASS_LIFETIME } from '../../domain/signing/signing-pass.ts';
import { signingCopy } from '../../domain/signing/signing-view.ts';
import { SECOND } from '../../lib/time.ts';
import { PAGE_SCRIPT } from '../public/page-script.ts';
import {
  formOf,
  type PublicPageService,
  publicEndpoint,
  publicPage,
  seeOther,
} from '../public/public-pages.ts';
import { AccessCode, Notice } from '../public/states.tsx';
import { openLink, PASS, requireOpenSigning } from './link.ts';
import { FINAL_STATUSES, LOCKED, NOTICES } from './notices.ts';
import { shownPages } from './page.ts';
import { signedPage, signingPage } from './show.ts';
import { submitDecline, submitSignature } from './submit.ts';

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
