import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Secrets of links that can be shown again and are stored nowhere: derived from a secret of the server and from what
 * the link is to, which may be any text.
 */
export interface LinkSecrets {
  linkSecret: (to: string) => string;
  opensLink: (secret: string, to: string) => boolean;
}

/** The first secret makes, all of them open. A key of its own keeps links and signed addresses apart (RFC 5869 §3.2). */
export function linkSecrets([making, ...others]: readonly [Uint8Array, ...Uint8Array[]]): LinkSecrets {
  const keyOf = (secret: Uint8Array) => Buffer.from(hkdfSync('sha256', secret, '', 'docgraph link', 32));
  const first = keyOf(making);
  const keys = [first, ...others.map(keyOf)];
  return {
    linkSecret: (to) => derive(first, to),
    opensLink: (secret, to) => keys.some((key) => same(secret, derive(key, to))),
  };
}

const derive = (key: Uint8Array, to: string): string =>
  `dgl_${createHmac('sha256', key).update(to).digest('base64url')}`;

function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
