/** The codes of RFC 6749 §4.1.2.1 and §5.2, RFC 8707 §2, RFC 9101 §6.2 and OpenID Connect Core §3.1.2.6. */
export const OAUTH_ERROR_CODES = [
  'invalid_request',
  'invalid_request_uri',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
  'login_required',
  'consent_required',
  'interaction_required',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
] as const;

export type OAuthErrorCode = (typeof OAUTH_ERROR_CODES)[number];

/** An OAuth error for the caller: as JSON, or on a page if the user's browser cannot be redirected. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly status: 400 | 401 | 403 | 405 | 413 | 429;
  /** Additional headers of the response. */
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

/** RFC 6749 §5.2: 401, whichever way the client authenticated. Does not say why it failed. */
export const invalidClient = () => new OAuthError('invalid_client', 'Client authentication failed.', 401);

/** An error that the client gets by redirect of the user's browser, once its redirect URI is validated. */
export class RedirectedError extends Error {
  override readonly name = 'RedirectedError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, text: string) {
    super(text);
    this.code = code;
  }
}
