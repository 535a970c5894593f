import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** What documents are sealed with. */
export interface SealCertificate {
  /** DER: the certificate of the key, and behind it those that lead to its root, as far as they are known. */
  chain: Uint8Array<ArrayBuffer>[];
  key: KeyObject;
}

/** A certificate or a key that cannot seal; the message is one line for whoever can put it right. */
export class SealUnusable extends Error {}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * A certificate (PEM, with those behind it that lead to its root) and its key (PEM: PKCS #8, PKCS #1 or SEC 1).
 * Throws SealUnusable for what cannot be read, does not belong together, or is no RSA or EC key; see requireValid for
 * when it may be used.
 */
export function readCertificate(certificates: string, key: string, passphrase?: string): SealCertificate {
  const read = (certificates.match(PEM) ?? []).map((pem) =>
    orUnusable('the certificate is not readable', () => new X509Certificate(pem)),
  );
  const [own] = read;
  if (!own) throw new SealUnusable('the certificate is not readable: no PEM block CERTIFICATE in it');
  const privateKey = orUnusable('the key is not readable', () =>
    createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) }),
  );
  if (!own.checkPrivateKey(privateKey)) throw new SealUnusable('the key does not belong to the certificate');
  if (!['rsa', 'ec'].includes(privateKey.asymmetricKeyType ?? ''))
    throw new SealUnusable(`a key of the kind ${privateKey.asymmetricKeyType} cannot seal; take RSA or EC`);
  return { chain: read.map(({ raw }) => Uint8Array.from(raw)), key: privateKey };
}

function orUnusable<Read>(text: string, read: () => Read): Read {
  try {
    return read();
  } catch (cause) {
    throw new SealUnusable(`${text}: ${(cause as Error).message}`, { cause });
  }
}

/** Throws SealUnusable when it is not valid at this time. */
export function requireValid({ chain: [own] }: SealCertificate, at = new Date()): void {
  const { validFrom, validTo } = new X509Certificate(own as Uint8Array);
  if (at < new Date(validFrom)) throw new SealUnusable(`the certificate is not valid before ${validFrom}`);
  if (at > new Date(validTo)) throw new SealUnusable(`the certificate expired on ${validTo}`);
}
