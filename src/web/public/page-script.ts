import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The script of the signing and form pages. */
const text = readFileSync(new URL('./script.js', import.meta.url), 'utf8');
const version = createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Its URL contains a hash of its content, so that browsers may cache it for good. */
export const PAGE_SCRIPT = `/pages/${version}.js`;

export const pageScript = (): Response =>
  new Response(text, {
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  });
