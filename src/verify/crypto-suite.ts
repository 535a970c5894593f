/** Names of digests, as Node has them. */
export type DigestName = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** A signature, and the key that it is said to be of. */
interface SignatureToCheck {
  /** SubjectPublicKeyInfo in DER. */
  publicKey: Uint8Array;
  digest: DigestName;
  /** Bytes of the salt, for RSASSA-PSS. */
  saltLength?: number | undefined;
  signed: readonly Uint8Array[];
  /** Of ECDSA: in DER. */
  signature: Uint8Array;
}

/** The cryptography of a platform: `node-suite.ts` of servers, `web-suite.js` of browsers. */
export interface CryptoSuite {
  /** The digest of the parts, one after the other. */
  digest(name: DigestName, parts: readonly Uint8Array[]): Promise<Uint8Array>;
  /** Whether the signature is right. Rejects for keys that the platform does not know. */
  verify(signature: SignatureToCheck): Promise<boolean>;
}
