import type { Context as Call, Handler } from 'hono';
import { networkOf } from '../../auth/client-address.ts';
import type { RateLimiter } from '../../auth/rate-limiter.ts';
import { refuseOtherSites } from '../../auth/same-origin.ts';
import type { Client, Context } from '../../domain/kernel/context.ts';
import { DomainError, unavailable } from '../../domain/kernel/errors.ts';
import { linkViewer, type Viewer } from '../../domain/kernel/viewer.ts';
import { readWithin } from '../../lib/request-body.ts';
import { SECOND } from '../../lib/time.ts';
import { type PageInit, page } from '../ui/page.ts';
import { publicPolicy } from '../ui/public-frame.tsx';
import { Notice } from './states.tsx';

/** What the pages for people without an account need. */
export interface PublicPageService {
  contextFor: (viewer: Viewer, requestId: string) => Context;
  clientOf: (call: Call) => Client;
  ownOrigins: (call: Call) => string[];
  addressOf: (call: Call) => string;
  requestIdOf: (call: Call) => string;
  report: (error: unknown, requestId: string) => void;
  /** Counts requests of a network, with a window of a minute. */
  rateLimiter: RateLimiter;
  limits: { publicRequests: number; publicAnswers: number };
  publicUrl: string;
}

/** The URLs of these pages contain a secret, so they send no referrer and are not indexed. */
const HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' };

export const publicPage = (
  content: { toString(): string },
  { style, headers, ...init }: Omit<PageInit, 'policy'> & { style?: string } = {},
): Response => page(content, { ...init, headers: { ...HEADERS, ...headers }, policy: publicPolicy(style) });

/** The domain context of a person who follows a link. */
export const contextOfLink = (
  { contextFor, clientOf, requestIdOf }: PublicPageService,
  call: Call,
  secret: string,
): Context => ({ ...contextFor(linkViewer(secret), requestIdOf(call)), client: clientOf(call) });

/** An endpoint of these pages: rate limited by network; errors are shown on a page. */
export const publicEndpoint =
  (service: PublicPageService, endpoint: (call: Call) => Promise<Response>): Handler =>
  async (call) => {
    try {
      const { limits } = service;
      await requireWithinLimit(service, call, 'page', limits.publicRequests);
      if (call.req.method === 'POST') {
        await requireWithinLimit(service, call, 'answer', limits.publicAnswers);
        requireOwnOrigin(service, call);
      }
      return await endpoint(call);
    } catch (error) {
      return errorPage(service, call, error);
    }
  };

class RateLimitExceeded extends Error {
  readonly seconds: number;

  constructor(wait: number) {
    super('Too many requests');
    this.seconds = Math.ceil(wait / SECOND);
  }
}

async function requireWithinLimit(
  { rateLimiter, addressOf }: PublicPageService,
  call: Call,
  kind: string,
  limit: number,
): Promise<void> {
  const wait = await rateLimiter.take(`${kind} ${networkOf(addressOf(call))}`, limit);
  if (wait > 0) throw new RateLimitExceeded(wait);
}

/**
 * Throws FORBIDDEN for a form of another site. Browsers that hide the referrer, as these pages require, hide the
 * origin too (Fetch §3.2, `null`); then the secret in the URL is the protection, as other sites do not have it.
 */
function requireOwnOrigin({ ownOrigins }: PublicPageService, call: Call): void {
  const { headers } = call.req.raw;
  const hidden = headers.get('origin') === 'null' && !headers.has('sec-fetch-site');
  if (!hidden) refuseOtherSites(headers, ownOrigins(call));
}

const LINK_NOT_FOUND = {
  title: 'This link is not valid',
  text: 'It may have been revoked, or copied incompletely. Ask the person who sent it to you for a new one.',
};

const STATUS: Partial<Record<DomainError['code'], number>> = {
  FORBIDDEN: 403,
  CONFLICT: 409,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

function errorPage({ report, requestIdOf }: PublicPageService, call: Call, thrown: unknown): Response {
  const error = unavailable(thrown) ?? thrown;
  if (error instanceof RateLimitExceeded) {
    const text = `Try again in ${error.seconds} seconds.`;
    const headers = { 'Retry-After': `${error.seconds}` };
    return publicPage(Notice({ title: 'Too many requests', text }), { status: 429, headers });
  }
  if (error instanceof DomainError) {
    if (error.code === 'NOT_FOUND') return publicPage(Notice(LINK_NOT_FOUND), { status: 404 });
    const status = STATUS[error.code] ?? 400;
    const headers = error.retryAfter !== undefined ? { 'Retry-After': `${error.retryAfter}` } : undefined;
    return publicPage(Notice({ title: 'The request failed', text: error.message }), { status, headers });
  }
  const requestId = requestIdOf(call);
  report(error, requestId);
  const text = `Something went wrong on our side. Try again in a moment (request ${requestId}).`;
  return publicPage(Notice({ title: 'The request failed', text }), { status: 500 });
}

/** Default maximum size of a form in bytes. */
const MAX_FORM_BYTES = 2 ** 14;

/** More than the fields and choices of any form. */
const MAX_FORM_PARAMETERS = 2_500;

/** Reads a submitted form of up to `maxBytes`. Throws BAD_USER_INPUT for another media type, and TOO_LARGE. */
export async function formOf(call: Call, maxBytes = MAX_FORM_BYTES): Promise<URLSearchParams> {
  const type = call.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new DomainError('BAD_USER_INPUT', 'The body must be a form (application/x-www-form-urlencoded).');
  const text = Buffer.from(await readWithin(call.req.raw, maxBytes, refuseForm)).toString();
  let parameters = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (++parameters > MAX_FORM_PARAMETERS) refuseForm();
  return new URLSearchParams(text);
}

function refuseForm(): never {
  throw new DomainError('TOO_LARGE', 'The form is too large.');
}

/** 303, so that the browser follows with GET after a POST (RFC 9110 §15.4.4). */
export const seeOther = (location: string, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', ...HEADERS, ...headers },
  });

/** `must be a number` -> `Must be a number.` */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
