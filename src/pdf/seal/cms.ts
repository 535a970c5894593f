import { createHash, sign } from 'node:crypto';
import { promisify } from 'node:util';
import * as asn1 from 'asn1js';
import * as pki from 'pkijs';
import type { SealCertificate } from './certificate.ts';

const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsaWithSha256: '1.2.840.113549.1.1.11',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

type Bytes = Uint8Array<ArrayBuffer>;

/** A signature over content. */
export interface DetachedSignature {
  /** SHA-256 of the signature, which a time-stamp is over (ETSI EN 319 122-1 §5.3). */
  digest: Bytes;
  /** CMS SignedData in DER (RFC 5652 §5), with the token of a time-stamp if there is one. */
  encode(token?: Uint8Array): Bytes;
}

/**
 * A detached signature over content with this SHA-256, with the signed attributes that PAdES-B-B requires (ETSI EN 319 142-1
 * §6.3): content type, message digest and signing certificate V2. The signing time is in the signature dictionary of the PDF
 * instead. With a time-stamp it is one of PAdES-B-T.
 */
export async function signDetached(
  sha256: Uint8Array,
  { chain, key }: SealCertificate,
): Promise<DetachedSignature> {
  const certificates = chain.map((der) => pki.Certificate.fromBER(der));
  const [own] = certificates as [pki.Certificate, ...pki.Certificate[]];
  const signedAttrs = new pki.SignedAndUnsignedAttributes({
    type: 0,
    attributes: inDerOrder([
      attribute(OID.contentType, new asn1.ObjectIdentifier({ value: OID.data })),
      attribute(OID.messageDigest, new asn1.OctetString({ valueHex: Uint8Array.from(sha256).buffer })),
      attribute(OID.signingCertificateV2, signingCertificate(chain[0] as Bytes)),
    ]),
  });
  const signature = await promisify(sign)('sha256', asSet(signedAttrs), key);
  const algorithm = signatureAlgorithm(key.asymmetricKeyType === 'rsa');
  const signer = { own, signedAttrs, algorithm, signature };
  return {
    digest: new Uint8Array(digestOf(signature)),
    encode: (token) => encodeMessage(certificates, signerInfo({ ...signer, token })),
  };
}

interface Signer {
  own: pki.Certificate;
  signedAttrs: pki.SignedAndUnsignedAttributes;
  algorithm: pki.AlgorithmIdentifier;
  signature: Uint8Array;
  token: Uint8Array | undefined;
}

const signerInfo = ({ own, signedAttrs, algorithm, signature, token }: Signer) =>
  new pki.SignerInfo({
    version: 1,
    sid: new pki.IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
    digestAlgorithm: sha256Algorithm(),
    signedAttrs,
    signatureAlgorithm: algorithm,
    signature: new asn1.OctetString({ valueHex: Uint8Array.from(signature).buffer }),
    ...(token && { unsignedAttrs: timeStampAttribute(token) }),
  });

const timeStampAttribute = (token: Uint8Array) =>
  new pki.SignedAndUnsignedAttributes({
    type: 1,
    attributes: [attribute(OID.timeStampToken, asn1.fromBER(Uint8Array.from(token).buffer).result)],
  });

function encodeMessage(certificates: pki.Certificate[], signer: pki.SignerInfo): Bytes {
  const signed = new pki.SignedData({
    version: 1,
    digestAlgorithms: [sha256Algorithm()],
    encapContentInfo: new pki.EncapsulatedContentInfo({ eContentType: OID.data }),
    certificates,
    signerInfos: [signer],
  });
  const content = new pki.ContentInfo({ contentType: OID.signedData, content: signed.toSchema(true) });
  return new Uint8Array(content.toSchema().toBER());
}

const attribute = (type: string, value: asn1.AsnType) => new pki.Attribute({ type, values: [value] });

/** DER sorts the elements of a SET OF by their encodings (X.690 §11.6). */
const inDerOrder = (attributes: pki.Attribute[]): pki.Attribute[] => {
  const encoded = (each: pki.Attribute) => new Uint8Array(each.toSchema().toBER());
  return attributes.sort((a, b) => Buffer.compare(encoded(a), encoded(b)));
};

/** The signature covers the attributes encoded as a SET OF, unlike in the message (RFC 5652 §5.4). */
function asSet(attributes: pki.SignedAndUnsignedAttributes): Bytes {
  const der = new Uint8Array(attributes.toSchema().toBER());
  der[0] = 0x31;
  return der;
}

/** SigningCertificateV2 with one ESSCertIDv2, whose hash algorithm is the default, SHA-256 (RFC 5035 §3). */
const signingCertificate = (der: Uint8Array) =>
  sequence(sequence(sequence(new asn1.OctetString({ valueHex: digestOf(der) }))));

const sequence = (...value: asn1.AsnType[]) => new asn1.Sequence({ value });

const digestOf = (bytes: Uint8Array) => Uint8Array.from(createHash('sha256').update(bytes).digest()).buffer;

const sha256Algorithm = () => new pki.AlgorithmIdentifier({ algorithmId: OID.sha256 });

/** The parameters are NULL for RSA (RFC 4055 §5), and absent for ECDSA (RFC 5758 §3.2). */
const signatureAlgorithm = (rsa: boolean) =>
  rsa
    ? new pki.AlgorithmIdentifier({ algorithmId: OID.rsaWithSha256, algorithmParams: new asn1.Null() })
    : new pki.AlgorithmIdentifier({ algorithmId: OID.ecdsaWithSha256 });
