import { POLICY } from './layout.tsx';

export interface PageInit {
  status?: number;
  headers?: Record<string, string>;
  /** CSP directives beside, or instead of, the frame's; undefined takes one away. */
  policy?: Record<string, string | undefined>;
}

/** The answer that carries a screen. Nobody may frame it, keep it, or learn its address from a link on it. */
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
