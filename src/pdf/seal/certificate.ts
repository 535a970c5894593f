import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** A certificate and its private key, for sealing documents. */
export interface SealCertificate {
  /** DER: the certificate of the key, followed by the available intermediate and root certificates. */
  chain: Uint8Array<ArrayBuffer>[];
  key: KeyObject;
}

/** A certificate or key that cannot be used for sealing; the message is one line for the operator. */
export class SealUnusable extends Error {}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads a certificate (PEM, followed by its chain) and its key (PEM: PKCS #8, PKCS #1 or SEC 1). Throws SealUnusable if
 * they cannot be read, do not belong together, or the key is neither RSA nor EC. Validity is checked by requireValid.
 */
export function readCertificate(certificates: string, key: string, passphrase?: string): SealCertificate {
  const read = (certificates.match(PEM) ?? []).map((pem) =>
    orUnusable('the certificate is not readable', () => new X509Certificate(pem)),
  );
  const [leaf] = read;
  if (!leaf) throw new SealUnusable('the certificate is not readable: no PEM block CERTIFICATE in it');
  const privateKey = orUnusable('the key is not readable', () =>
    createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) }),
  );
  if (!leaf.checkPrivateKey(privateKey)) throw new SealUnusable('the key does not belong to the certificate');
  if (!['rsa', 'ec'].includes(privateKey.asymmetricKeyType ?? ''))
    throw new SealUnusable(`a key of type ${privateKey.asymmetricKeyType} cannot seal; use RSA or EC`);
  return { chain: read.map(({ raw }) => Uint8Array.from(raw)), key: privateKey };
}

function orUnusable<Read>(text: string, read: () => Read): Read {
  try {
    return read();
  } catch (cause) {
    throw new SealUnusable(`${text}: ${(cause as Error).message}`, { cause });
  }
}

/** Throws SealUnusable when the certificate is not valid at this time. */
export function requireValid({ chain: [leaf] }: SealCertificate, at = new Date()): void {
  const { validFrom, validTo } = new X509Certificate(leaf as Uint8Array);
  if (at < new Date(validFrom)) throw new SealUnusable(`the certificate is not valid before ${validFrom}`);
  if (at > new Date(validTo)) throw new SealUnusable(`the certificate expired on ${validTo}`);
}
