import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Secrets of links that can be shown again and are not stored: derived from a secret of the server and from the target
 * of the link, which may be any text.
 */
export interface LinkSecrets {
  linkSecret: (target: string) => string;
  opensLink: (secret: string, target: string) => boolean;
}

/** Links are created with the first secret, and checked with all. A derived key separates links from signed URLs (RFC 5869 §3.2). */
export function linkSecrets([current, ...others]: readonly [Uint8Array, ...Uint8Array[]]): LinkSecrets {
  const keyOf = (secret: Uint8Array) => Buffer.from(hkdfSync('sha256', secret, '', 'docgraph link', 32));
  const first = keyOf(current);
  const keys = [first, ...others.map(keyOf)];
  return {
    linkSecret: (target) => derive(first, target),
    opensLink: (secret, target) => keys.some((key) => isEqual(secret, derive(key, target))),
  };
}

const derive = (key: Uint8Array, target: string): string =>
  `dgl_${createHmac('sha256', key).update(target).digest('base64url')}`;

function isEqual(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
