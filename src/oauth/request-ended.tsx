import { Message } from '../web/ui/message.tsx';
import { Name } from '../web/ui/name.tsx';
import { page } from '../web/ui/page.ts';
import type { Target } from './authorization-request.ts';
import { OAuthError, type OAuthErrorCode } from './errors.ts';
import { responseLocation } from './redirect.ts';

/** Why an authorization request cannot continue. `outdated`: the consent form is not of this session and request. */
export type EndReason = 'answered' | 'expired' | 'outdated';

interface ReasonText {
  title: string;
  /** Follows the name of the application. */
  text: string;
  code: OAuthErrorCode;
  status: number;
}

const REASONS: Record<EndReason, ReasonText> = {
  answered: {
    title: 'This request has already been answered',
    text: 'has received your answer. Go back to it to continue.',
    code: 'invalid_request',
    status: 400,
  },
  expired: {
    title: 'This request has expired',
    text: 'requested access too long ago. Nothing was allowed. Go back to it and start again.',
    code: 'invalid_request',
    status: 400,
  },
  outdated: {
    title: 'This page is out of date',
    text: 'has not received access from this page. Go back to it and start again.',
    code: 'access_denied',
    status: 403,
  },
};

/**
 * A page that names the application and links back to it with an error (RFC 6749 §4.1.2.1). It does not redirect by
 * itself, as a user who opens an old page may be doing something else in the application.
 */
export function requestEndedPage(
  target: Target,
  { issuer, pushed, reason }: { issuer: string; pushed: boolean; reason: EndReason },
): Response {
  const { title, text, status, ...rest } = REASONS[reason];
  const code = pushed && rest.code === 'invalid_request' ? 'invalid_request_uri' : rest.code;
  const { name } = target.client;
  const href = responseLocation(target, issuer, { error: code, error_description: `${title}.` });
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

/** Thrown to end an authorization request with that page. */
export class RequestEndedError extends OAuthError {
  readonly reason: EndReason;

  constructor(reason: EndReason) {
    super(REASONS[reason].code, REASONS[reason].title);
    this.reason = reason;
  }
}
