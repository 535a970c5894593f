import type { MiddlewareHandler } from 'hono';

/**
 * Completes the WWW-Authenticate of a 401: `invalid_token` if a bearer credential was sent, no error code otherwise (RFC
 * 6750 §3.1), with why, and the URL of the resource metadata (RFC 9728 §5.1).
 */
export const bearerChallenge =
  (publicUrl: string): MiddlewareHandler =>
  async (call, next) => {
    await next();
    const challenge = call.res.headers.get('www-authenticate');
    if (!challenge?.startsWith('Bearer')) return;
    const presented = /^Bearer /i.test(call.req.header('authorization') ?? '');
    const refusal = call.get('bearerRefusal');
    const description = refusal ? ` error_description="${refusal}",` : '';
    const error = call.res.status === 401 && presented ? ` error="invalid_token",${description}` : '';
    const parameters = challenge.slice('Bearer'.length);
    call.res.headers.set(
      'WWW-Authenticate',
      `Bearer${error}${parameters && `${parameters},`} resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"`,
    );
  };
