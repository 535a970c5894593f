import { createHash, randomBytes } from 'node:crypto';

/** The kinds of secrets we hand out; the prefix lets people and scanners recognise one. */
export type SecretPrefix = 'dgk_' | 'dga_' | 'dgr_' | 'dgc_' | 'dgs_' | 'dgb_' | 'dgl_' | 'dgp_' | 'dgw_';

/** A new opaque secret: the prefix and 256 random bits, in characters that need no escaping anywhere. */
export const newSecret = (prefix: SecretPrefix): string => prefix + randomBytes(32).toString('base64url');

/** Whether a text can be the secret of a link at all. */
export const isLinkSecret = (text: string): boolean => /^dgl_[\w-]{43}$/.test(text);

/** Whether a text holds a secret of ours, of whichever kind. */
export const holdsSecret = (text: string): boolean => /\bdg[a-z]_[\w-]{43}/.test(text);

/** What is stored of a secret. 256 random bits need no salt and no slow hash. */
export const hashSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash('sha256').update(secret).digest());
