import { createHash, randomBytes } from 'node:crypto';

/** Kinds of secrets; the prefix lets people and scanners recognise one. */
export type SecretPrefix =
  | 'dgk_'
  | 'dga_'
  | 'dgr_'
  | 'dgc_'
  | 'dgs_'
  | 'dgi_'
  | 'dgb_'
  | 'dgl_'
  | 'dgo_'
  | 'dgp_'
  | 'dgw_';

/** A new opaque secret: the prefix and 256 random bits, in characters that need no escaping anywhere. */
export const newSecret = (prefix: SecretPrefix): string => prefix + randomBytes(32).toString('base64url');

/** Whether a text has the form of a link's secret. */
export const isLinkSecret = (text: string): boolean => /^dgl_[\w-]{43}$/.test(text);

/** Whether a text contains a secret of any kind. */
export const holdsSecret = (text: string): boolean => /\bdg[a-z]_[\w-]{43}/.test(text);

/** The stored form of a secret, its SHA-256. 256 random bits need neither a salt nor a slow hash. */
export const hashSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash('sha256').update(secret).digest());
