import { errorOfStatus } from '../http/transport.ts';
import type { Tokens } from './tokens.ts';

/** An error of the authorization server (RFC 6749 §4.1.2.1 and §5.2), or `invalid_state` and `invalid_issuer`. */
export class OAuthError extends Error {
  override name = 'OAuthError';
  /** Such as `access_denied` or `invalid_grant`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
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
