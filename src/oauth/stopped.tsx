import { Message } from '../web/ui/message.tsx';
import { Name } from '../web/ui/name.tsx';
import { page } from '../web/ui/page.ts';
import type { Target } from './authorization-request.ts';
import { OAuthError, type OAuthErrorCode } from './errors.ts';
import { answerLocation } from './redirect.ts';

/** Why a request of a known application cannot go on, for the person who sees it. */
export type EndReason = 'answered' | 'expired' | 'outdated';

interface ReasonText {
  title: string;
  /** What follows the name of the application. */
  text: string;
  code: OAuthErrorCode;
  status: number;
}

const REASONS: Record<EndReason, ReasonText> = {
  answered: {
    title: 'This was answered already',
    text: 'has your answer. Go back there to continue.',
    code: 'invalid_request',
    status: 400,
  },
  expired: {
    title: 'This request has expired',
    text: 'asked too long ago, and nothing was allowed. Go back there and start again.',
    code: 'invalid_request',
    status: 400,
  },
  outdated: {
    title: 'This page is out of date',
    text: 'has not been allowed anything by this page. Go back there and start again.',
    code: 'access_denied',
    status: 403,
  },
};

/**
 * A page that names the application and leads back to it with an error (RFC 6749 §4.1.2.1). Nobody is redirected there
 * without a click: whoever opens an old page may be in the middle of something else.
 */
export function requestEndedPage(
  target: Target,
  { issuer, pushed, stop }: { issuer: string; pushed: boolean; stop: EndReason },
): Response {
  const { title, text, status, ...rest } = REASONS[stop];
  const code = pushed && rest.code === 'invalid_request' ? 'invalid_request_uri' : rest.code;
  const { name } = target.client;
  const href = answerLocation(target, issuer, { error: code, error_description: `${title}.` });
  const content = Message({
    title: `Error: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    text: (
      <>
        <Name of={name} /> {text} ({code})
      </>
    ),
    link: {
      href,
      text: (
        <>
          Back to <Name of={name} />
        </>
      ),
    },
  });
  return page(content, { status, headers: { 'Referrer-Policy': 'no-referrer' } });
}

/** Ends an authorization request on that page, from any depth. */
export class RequestEndedError extends OAuthError {
  readonly stop: EndReason;

  constructor(stop: EndReason) {
    super(REASONS[stop].code, REASONS[stop].title);
    this.stop = stop;
  }
}
