/** The codes of RFC 6749 §4.1.2.1 and §5.2, RFC 8707 §2 and RFC 9101 §6.2. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_request_uri'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable';

/** A refusal that its sender is told: as JSON, or on a page where there is nobody to redirect to. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly status: 400 | 401 | 403 | 405 | 413 | 429;
  /** Headers that the answer has beside its usual ones. */
  readonly headers: Record<string, string>;

  /** The text is printable ASCII without `"` and `\` (RFC 6749 §5.2); `retryAfter` is in seconds. */
  constructor(code: OAuthErrorCode, text: string, status: OAuthError['status'] = 400, retryAfter?: number) {
    super(text);
    this.code = code;
    this.status = status;
    this.headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  }
}

export const invalidRequest = (text: string, status?: 405 | 413) =>
  new OAuthError('invalid_request', text, status);

/** RFC 6749 §5.2: 401, whichever way the client authenticated; why it failed is nobody's business. */
export const invalidClient = () => new OAuthError('invalid_client', 'Client authentication failed.', 401);

/** A refusal that goes to the client by way of the browser: the address is the client's, and checked. */
export class RedirectedError extends Error {
  override readonly name = 'RedirectedError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, text: string) {
    super(text);
    this.code = code;
  }
}
