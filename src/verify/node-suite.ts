import { constants, createHash, createPublicKey, verify } from 'node:crypto';
import type { CryptoSuite } from './crypto-suite.ts';

/** The cryptography of Node: all curves and digests of OpenSSL. */
export const nodeSuite: CryptoSuite = {
  async digest(name, parts) {
    const hash = createHash(name);
    for (const part of parts) hash.update(part);
    return hash.digest();
  },
  async verify({ publicKey, digest, saltLength, signed, signature }) {
    const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
    const padding = saltLength === undefined ? {} : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
    return verify(digest, Buffer.concat(signed), { key, ...padding }, signature);
  },
};
