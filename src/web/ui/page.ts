import { POLICY } from './layout.tsx';

export interface PageInit {
  status?: number;
  headers?: Record<string, string>;
  /** CSP directives that are added to or override the defaults; undefined removes one. */
  policy?: Record<string, string | undefined>;
}

/** An HTML response. It may not be framed or cached, and sends no referrer to other sites. */
export function page(
  content: { toString(): string },
  { status = 200, headers, policy }: PageInit = {},
): Response {
  const rules = Object.entries({ ...POLICY, ...policy })
    .filter(([, sources]) => sources !== undefined)
    .map(([name, sources]) => `${name} ${sources}`);
  return new Response(`<!doctype html>${content.toString()}`, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': rules.join('; '),
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}
