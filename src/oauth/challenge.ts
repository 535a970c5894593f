import type { MiddlewareHandler } from 'hono';
import { MCP_SCOPES } from '../domain/oauth/resource-server.ts';

/**
 * Completes the WWW-Authenticate of a 401: `invalid_token` if a bearer credential was sent, no error code otherwise (RFC
 * 6750 §3.1), with why, and the URL of the resource metadata (RFC 9728 §5.1). At `/mcp` with the scopes to begin with.
 */
export const bearerChallenge =
  (publicUrl: string): MiddlewareHandler =>
  async (call, next) => {
    await next();
    const challenge = call.res.headers.get('www-authenticate');
    if (!challenge?.startsWith('Bearer')) return;
    const isRefused = call.res.status === 401;
    const isPresented = isRefused && /^Bearer /i.test(call.req.header('authorization') ?? '');
    const refusal = call.get('bearerRefusal');
    const forAgents = call.req.path === '/mcp';
    const parameters = [
      ...(isPresented ? ['error="invalid_token"'] : []),
      ...(isPresented && refusal ? [`error_description="${refusal}"`] : []),
      ...[challenge.slice('Bearer'.length).trim()].filter(Boolean),
      ...(isRefused && forAgents ? [`scope="${MCP_SCOPES.join(' ')}"`] : []),
      `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${forAgents ? '/mcp' : ''}"`,
    ];
    call.res.headers.set('WWW-Authenticate', `Bearer ${parameters.join(', ')}`);
  };
