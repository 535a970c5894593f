import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CertificateName, openssl } from './certificates.ts';

const TOKEN_INFO = '1.2.840.113549.1.9.16.1.4';

/** What a token says. */
export interface TokenContent {
  digest: Uint8Array;
  nonce: Uint8Array;
  time: Date;
  /** DER of the OID of the digest, in hex. */
  algorithm?: string;
  /** The type of content that is signed. */
  type?: string;
}

const SHA256 = '608648016503040201';

/** An element of DER. */
export function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length;
  const bytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** TSTInfo of RFC 3161 §2.4.2. */
const tokenInfo = ({ digest, nonce, time, algorithm = SHA256 }: TokenContent): Buffer =>
  der(
    0x30,
    hex('020101'),
    der(0x06, hex('2a030401')),
    der(0x30, der(0x30, der(0x06, hex(algorithm)), hex('0500')), der(0x04, digest)),
    hex('020107'),
    der(0x18, Buffer.from(time.toISOString().replace(/[-:T]|\.\d+/g, ''))),
    der(0x02, nonce),
  );

/** A token of this content, signed by one of the certificates in the folder. */
export function signToken(folder: string, content: TokenContent, certificate: CertificateName): Buffer {
  writeFileSync(join(folder, 'info.der'), tokenInfo(content));
  return openssl(
    folder,
    `cms -sign -in info.der -binary -nodetach -outform DER -signer ${certificate}.pem -inkey ${certificate}.key -certfile root.pem -econtent_type ${content.type ?? TOKEN_INFO} -cades -md sha256`,
  );
}
