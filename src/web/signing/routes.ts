import { type Context as Call, Hono } from 'hono';
import { parse, serialize } from 'hono/utils/cookie';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError } from '../../domain/kernel/errors.ts';
import { declineSignature, signDocument } from '../../domain/signing/sign.ts';
import { findValueErrors } from '../../domain/signing/sign-values.ts';
import { signedRevision } from '../../domain/signing/signing.ts';
import { type OpenedSigning, openSigning } from '../../domain/signing/signing-open.ts';
import { newPass, PASS_LIFETIME } from '../../domain/signing/signing-pass.ts';
import { type SigningStatus, signingStatus } from '../../domain/signing/signing-status.ts';
import { signingCopy, viewSigning } from '../../domain/signing/signing-view.ts';
import { SECOND } from '../../lib/time.ts';
import { PAGE_SCRIPT, pageScript } from '../public/page-script.ts';
import {
  contextOfLink,
  formOf,
  type PublicPageService,
  publicEndpoint,
  publicPage,
  seeOther,
} from '../public/public-pages.ts';
import { AccessCode, Notice, Signed } from '../public/states.tsx';
import { GONE, LOCKED, SAYS } from './notices.ts';
import { CONSENT, type Given, givenIn, sheetsOf, signingProps } from './page.ts';
import { Signing } from './view.tsx';

/** Drawn signatures come as text, of which a form may hold several. */
const SIGNATURE_BYTES = 4 * 2 ** 20;

const WIDTHS = new Set(['900', '1600']);

export interface SigningRouterOptions extends PublicPageService {
  /** A page (from 1) of a stored PDF as a picture; null where there is none. */
  pictures: (
    file: { organizationId: string; key: string; size: number },
    page: number,
    width: number,
  ) => Promise<{ bytes: Uint8Array<ArrayBuffer>; contentType: string } | null>;
}

/** Where a signer's own link leads: to the document, to their signature, and to what became of it. */
export function signingRouter(door: SigningRouterOptions): Hono {
  const app = new Hono();
  const at = (endpoint: (door: SigningRouterOptions, call: Call) => Promise<Response>) =>
    publicEndpoint(door, (call) => endpoint(door, call));
  const link = '/sign/:recipientId/:secret';
  app.get(PAGE_SCRIPT, pageScript);
  app.get(link, at(show));
  app.post(link, at(sign));
  app.post(`${link}/code`, at(takeCode));
  app.post(`${link}/decline`, at(decline));
  app.get(`${link}/pages/:page`, at(picture));
  app.get(`${link}/copy`, at(copy));
  return app;
}

/** A link as it was followed. */
interface Followed {
  door: SigningRouterOptions;
  call: Call;
  ctx: Context;
  base: string;
  recipientId: string;
  sessionId: string;
  standing: SigningStatus;
  pass: string | undefined;
}

async function follow(door: SigningRouterOptions, call: Call): Promise<Followed> {
  const { recipientId, secret } = call.req.param() as { recipientId: string; secret: string };
  const ctx = contextOfLink(door, call, secret);
  const { sessionId, status: standing } = await signingStatus(ctx, recipientId);
  const pass = parse(call.req.header('cookie') ?? '', PASS)[PASS];
  return { door, call, ctx, base: `/sign/${recipientId}/${secret}`, recipientId, sessionId, standing, pass };
}

/** Throws CONFLICT where the link leads to nothing that can be opened any more, or yet. */
const open = ({ ctx, sessionId, recipientId, pass, standing }: Followed): Promise<OpenedSigning> => {
  if (standing !== 'READY' && standing !== 'SIGNED') throw new DomainError('CONFLICT', SAYS[standing].text);
  return openSigning(ctx, { sessionId, recipientId, pass });
};

async function show(door: SigningRouterOptions, call: Call): Promise<Response> {
  const followed = await follow(door, call);
  const { standing, base } = followed;
  if (standing !== 'READY' && standing !== 'SIGNED')
    return publicPage(Notice(SAYS[standing]), { status: GONE.includes(standing) ? 410 : 200 });
  const signing = await open(followed);
  if (signing.locked && signing.codeLockedAt) return publicPage(Notice(LOCKED), { status: 403 });
  if (signing.locked) return publicPage(AccessCode({ action: `${base}/code`, signer: signing }));
  return standing === 'SIGNED' ? signed(followed, signing) : toSign(followed, signing);
}

async function toSign(
  { ctx, base }: Followed,
  signing: OpenedSigning,
  given?: Given,
  faults?: Parameters<typeof signingProps>[2],
): Promise<Response> {
  const props = signingProps({ base, signing, view: await viewSigning(ctx, signing) }, given, faults);
  return publicPage(Signing(props), { status: faults ? 422 : 200, style: props.style });
}

async function signed({ ctx, base }: Followed, signing: OpenedSigning): Promise<Response> {
  const view = await viewSigning(ctx, signing);
  const { sheets, style } = sheetsOf({ signing, view });
  const { documentName, sessionState } = signing;
  const completed = sessionState === 'COMPLETED';
  return publicPage(Signed({ base, style, documentName, completed, sheets }), { style });
}

async function sign(door: SigningRouterOptions, call: Call): Promise<Response> {
  const followed = await follow(door, call);
  const { ctx, base, sessionId, recipientId, pass, standing } = followed;
  if (standing !== 'READY') return seeOther(base);
  const signing = await open(followed);
  if (signing.locked) return seeOther(base);
  const { ownFields } = await viewSigning(ctx, signing);
  const given = givenIn(await formOf(call, SIGNATURE_BYTES), ownFields);
  const values = findValueErrors(ownFields, given.values);
  const consent = given.consent ? undefined : 'Agree to sign electronically.';
  if (values.size > 0 || consent) return toSign(followed, signing, given, { values, consent });
  try {
    await signDocument(ctx, {
      sessionId,
      recipientId,
      pass,
      consent: CONSENT,
      values: [...given.values].map(([fieldId, value]) => ({ fieldId, value })),
    });
  } catch (error) {
    const fault = faultIn(error, given);
    if (!fault) throw error;
    return toSign(followed, signing, given, { values: fault });
  }
  return seeOther(base);
}

/** What only the rules can tell of a value: they name its place in the list. */
function faultIn(error: unknown, given: Given): Map<string, string> | undefined {
  if (!(error instanceof DomainError) || error.code !== 'BAD_USER_INPUT') return undefined;
  const index = /^values\.(\d+)\./.exec(error.at ?? '')?.[1];
  const fieldId = index && [...given.values.keys()][Number(index)];
  return fieldId ? new Map([[fieldId, error.message.replace(`${error.at}: `, '')]]) : undefined;
}

async function decline(door: SigningRouterOptions, call: Call): Promise<Response> {
  const { ctx, base, sessionId, recipientId, pass, standing } = await follow(door, call);
  const reason = ((await formOf(call)).get('reason') ?? '').trim();
  if (standing === 'READY') await declineSignature(ctx, { sessionId, recipientId, pass, reason });
  return seeOther(base);
}

const PASS = 'docgraph_signing';

/** The right code opens the signing to this browser, for as long as its pass lasts. */
async function takeCode(door: SigningRouterOptions, call: Call): Promise<Response> {
  const followed = await follow(door, call);
  const { ctx, base, sessionId, recipientId } = followed;
  const signing = await open(followed);
  const accessCode = ((await formOf(call)).get('code') ?? '').trim();
  const again = (text: string, status: number) =>
    publicPage(AccessCode({ action: `${base}/code`, signer: signing, fault: { at: 'code', text } }), {
      status,
    });
  if (accessCode === '') return again('Enter the code.', 422);
  try {
    await openSigning(ctx, { sessionId, recipientId, accessCode });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'FORBIDDEN') return again('This is not the code. Look at it again.', 422);
    if (error.code === 'CONFLICT') return publicPage(Notice(LOCKED), { status: 403 });
    if (error.code === 'RATE_LIMITED') return again('There were too many tries. Wait a while.', 429);
    throw error;
  }
  const secure = door.publicUrl.startsWith('https:');
  const cookie = serialize(PASS, newPass(ctx, recipientId), {
    path: base,
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    maxAge: PASS_LIFETIME / SECOND,
  });
  return seeOther(base, { 'Set-Cookie': cookie });
}

/** Throws FORBIDDEN before the access code was given. */
async function opened(door: SigningRouterOptions, call: Call) {
  const followed = await follow(door, call);
  const signing = await open(followed);
  if (signing.locked) throw new DomainError('FORBIDDEN', 'This takes the access code.');
  return { ctx: followed.ctx, signing };
}

async function picture(door: SigningRouterOptions, call: Call): Promise<Response> {
  const { ctx, signing } = await opened(door, call);
  const { organizationId, blobId, size, contentType } = await signedRevision(ctx, signing);
  const { page, width = '900' } = { page: call.req.param('page') ?? '', width: call.req.query('width') };
  const known = contentType === 'application/pdf' && /^[1-9]\d{0,5}$/.test(page) && WIDTHS.has(width);
  const image = known
    ? await door.pictures({ organizationId, key: blobId, size: Number(size) }, Number(page), Number(width))
    : null;
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

async function copy(door: SigningRouterOptions, call: Call): Promise<Response> {
  const { ctx, signing } = await opened(door, call);
  return seeOther(await signingCopy(ctx, signing));
}
