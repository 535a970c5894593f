import { errorOfStatus } from '../http/transport.ts';
import type { Tokens } from './tokens.ts';

/** The codes of the authorization server (RFC 6749 §4.1.2.1 and §5.2, and extensions), and three of the client. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'consent_required'
  | 'interaction_required'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_request_uri'
  | 'invalid_scope'
  | 'invalid_target'
  | 'login_required'
  | 'registration_not_supported'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_issuer'
  | 'invalid_response'
  | 'invalid_state';

/** A refusal of a sign-in or of a refresh. */
export class OAuthError extends Error {
  override name = 'OAuthError';
  /** That of a newer server may be another one. */
  readonly code: OAuthErrorCode;

  constructor(code: string, message: string) {
    super(message);
    this.code = code as OAuthErrorCode;
  }
}

/** RFC 6749 §5.1. Throws OAuthError for a refusal, DocgraphError for a failure of the moment. */
export async function readTokens(response: Response): Promise<Tokens> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.status === 429 || response.status >= 500) throw errorOfStatus(response);
  const { access_token, refresh_token, expires_in, scope } = body;
  if (!response.ok || typeof access_token !== 'string')
    throw new OAuthError(
      String(body.error ?? 'invalid_response'),
      String(body.error_description ?? 'No token was issued.'),
    );
  return {
    accessToken: access_token,
    refreshToken: String(refresh_token),
    expiresAt: Date.now() + Number(expires_in) * 1_000,
    scope: String(scope),
  };
}
