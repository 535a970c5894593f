import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value]);
  if (value < 256) return Buffer.from([(type << 5) | 24, value]);
  return Buffer.from([(type << 5) | 25, value >> 8, value & 255]);
}

/** CBOR (RFC 8949), as far as authenticators use it. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, member]) => [cbor(key), cbor(member)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const bytes = (value: string) => Buffer.from(value, 'base64url');
const sha256 = (value: string | Uint8Array) => createHash('sha256').update(value).digest();

/** A COSE key of ES256 (RFC 9053 §7.1). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}

export interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
  excludeCredentials?: { id: string }[];
}

export interface RequestOptions {
  challenge: string;
  rpId?: string;
  allowCredentials?: { id: string }[];
  userVerification?: string;
}

/** What differs from an honest browser and authenticator. */
export interface Deviation {
  origin?: string;
  rpId?: string;
  isVerified?: boolean;
  counter?: number;
  userHandle?: string;
  challenge?: string;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** An authenticator in software, with one credential, and the browser before it. */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(32);
  readonly #origin: string;
  #userHandle = '';
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  get id(): string {
    return text(this.#id);
  }

  #clientData(type: string, challenge: string, origin = this.#origin): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #data(
    rpId: string,
    { isVerified = true, counter = ++this.#counter }: Deviation,
    credential?: Buffer,
  ): Buffer {
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | (credential ? HAS_CREDENTIAL : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential ?? Buffer.alloc(0)]);
  }

  /** The answer to options of `navigator.credentials.create`, in JSON. */
  create({ challenge, rp, user }: CreationOptions, deviation: Deviation = {}): string {
    this.#userHandle = user.id;
    const clientData = this.#clientData(
      'webauthn.create',
      deviation.challenge ?? challenge,
      deviation.origin,
    );
    const length = Buffer.from([0, this.#id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, coseKey(this.#keys.publicKey)]);
    const authData = this.#data(deviation.rpId ?? rp.id ?? '', deviation, credential);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return JSON.stringify({
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: text(clientData),
        attestationObject: text(cbor(attestation)),
        transports: ['internal'],
      },
    });
  }

  /** The answer to options of `navigator.credentials.get`, in JSON. */
  get({ challenge, rpId }: RequestOptions, deviation: Deviation = {}): string {
    const clientData = this.#clientData('webauthn.get', deviation.challenge ?? challenge, deviation.origin);
    const authenticatorData = this.#data(deviation.rpId ?? rpId ?? '', deviation);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return JSON.stringify({
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authenticatorData),
        signature: text(sign('sha256', signed, this.#keys.privateKey)),
        userHandle: deviation.userHandle ?? this.#userHandle,
      },
    });
  }
}
