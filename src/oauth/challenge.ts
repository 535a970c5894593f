import type { MiddlewareHandler } from 'hono';

/**
 * Completes the WWW-Authenticate of a refused bearer: no error code for who sent none, `invalid_token` for one that is
 * not good (RFC 6750 §3.1), and where to learn how to get one (RFC 9728 §5.1).
 */
export const bearerChallenge =
  (publicUrl: string): MiddlewareHandler =>
  async (call, next) => {
    await next();
    const challenge = call.res.headers.get('www-authenticate');
    if (!challenge?.startsWith('Bearer')) return;
    const presented = /^Bearer /i.test(call.req.header('authorization') ?? '');
    const refused = call.res.status === 401 && presented ? ' error="invalid_token",' : '';
    const said = challenge.slice('Bearer'.length);
    call.res.headers.set(
      'WWW-Authenticate',
      `Bearer${refused}${said && `${said},`} resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"`,
    );
  };
