import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { typeOfId } from '../../lib/id.ts';
import { type LinkSecrets, linkSecrets } from './link-secret.ts';

/** What an upload address allows: bytes for one object, up to `maxSize` of them. */
export interface UploadTicket {
  key: string;
  maxSize: number;
  /** Whose share of receiving the upload takes. Addresses of earlier releases name none. */
  organizationId?: string;
}

/** What a download address gives: one object, and how to present it. `inline` asks for a view in the browser. */
export interface DownloadTicket {
  key: string;
  filename: string;
  contentType: string;
  inline: boolean;
}

/** What an image address gives: a picture of one page (from 1) of an object, so many pixels wide. */
export interface ImageTicket {
  key: string;
  /** Whose share of the drawing it takes. Addresses of earlier releases name none. */
  organizationId?: string;
  contentType: string;
  page: number;
  width: number;
}

/**
 * Addresses that carry their own permission, each good for `lifetime` ms. They stand below the public URL and need no
 * percent-escapes. The `read…` functions take the last part of the path, and give undefined for everything that is
 * not a live token of ours for that use.
 */
export interface SignedAddresses extends LinkSecrets {
  /** The time in ms by which these addresses, and others that are stored nowhere, end. */
  now: () => number;
  /** The address of a page of ours, of which the path begins with a slash. */
  page: (path: string) => string;
  upload: (ticket: UploadTicket, lifetime: number) => Promise<string>;
  uploadSession: (ticket: UploadTicket, lifetime: number) => Promise<string>;
  download: (ticket: DownloadTicket, lifetime: number) => Promise<string>;
  image: (ticket: ImageTicket, lifetime: number) => Promise<string>;
  readUpload: (token: string) => Promise<(UploadTicket & { session: boolean }) | undefined>;
  readDownload: (token: string) => Promise<DownloadTicket | undefined>;
  readImage: (token: string) => Promise<ImageTicket | undefined>;
}

/** Explicit audiences keep a token of one kind from passing as another (RFC 8725 §3.9). */
const UPLOAD = 'upload';
const SESSION = 'upload-session';
const DOWNLOAD = 'download';
const IMAGE = 'image';

const key = z.string().refine((text) => typeOfId(text) === 'Blob');
const uploadClaims = z.object({
  sub: key,
  aud: z.enum([UPLOAD, SESSION]),
  max: z.number().int().nonnegative(),
  org: z.string().optional(),
});
const downloadClaims = z.object({
  sub: key,
  aud: z.literal(DOWNLOAD),
  name: z.string(),
  type: z.string(),
  inline: z.boolean(),
});

const imageClaims = z.object({
  sub: key,
  aud: z.literal(IMAGE),
  org: z.string().optional(),
  type: z.string(),
  page: z.number().int().positive(),
  width: z.number().int().positive(),
});

/** The last character of 32 bytes in base64url has two idle bits: only zeros there, so a token has one spelling. */
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/**
 * The first secret signs, all of them verify, so that one can be replaced while addresses are out. Throws a
 * RangeError for a secret below 32 bytes (RFC 7518 §3.2), or when there is none. `now` is the time in ms.
 */
export function signedAddresses(
  secret: Uint8Array | readonly Uint8Array[],
  publicUrl: string,
  now: () => number = Date.now,
): SignedAddresses {
  const secrets = secret instanceof Uint8Array ? [secret] : secret;
  const [signing, ...others] = secrets;
  if (!signing || secrets.some((each) => each.length < 32))
    throw new RangeError('Addresses are signed with secrets of 32 bytes or more.');
  const base = publicUrl.replace(/\/+$/, '');
  const address = async (folder: string, audience: string, claims: Claims, lifetime: number) =>
    `${base}/${folder}/${await sign(signing, audience, claims, new Date(now() + lifetime))}`;

  const read = (token: string, audience: string[]) => verify(secrets, token, audience, new Date(now()));
  return {
    ...linkSecrets([signing, ...others]),
    now,
    page: (path) => base + path,
    upload: (ticket, lifetime) => address('uploads', UPLOAD, ofUpload(ticket), lifetime),
    uploadSession: (ticket, lifetime) => address('uploads', SESSION, ofUpload(ticket), lifetime),
    download: (ticket, lifetime) => address('downloads', DOWNLOAD, ofDownload(ticket), lifetime),
    image: ({ key, organizationId, contentType, page, width }, lifetime) => {
      const organization = organizationId && { org: organizationId };
      return address(
        'images',
        IMAGE,
        { sub: key, ...organization, type: contentType, page, width },
        lifetime,
      );
    },
    readUpload: async (token) => {
      const claims = uploadClaims.safeParse(await read(token, [UPLOAD, SESSION])).data;
      if (!claims) return undefined;
      const organization = claims.org && { organizationId: claims.org };
      return { key: claims.sub, maxSize: claims.max, ...organization, session: claims.aud === SESSION };
    },
    readDownload: async (token) => {
      const claims = downloadClaims.safeParse(await read(token, [DOWNLOAD])).data;
      if (!claims) return undefined;
      return { key: claims.sub, filename: claims.name, contentType: claims.type, inline: claims.inline };
    },
    readImage: async (token) => {
      const claims = imageClaims.safeParse(await read(token, [IMAGE])).data;
      if (!claims) return undefined;
      const { sub: key, org: organizationId, type: contentType, page, width } = claims;
      return { key, organizationId, contentType, page, width };
    },
  };
}

type Claims = Record<string, string | number | boolean>;

const ofUpload = ({ key, maxSize, organizationId }: UploadTicket): Claims => ({
  sub: key,
  max: maxSize,
  ...(organizationId && { org: organizationId }),
});
const ofDownload = ({ key, filename, contentType, inline }: DownloadTicket): Claims => ({
  sub: key,
  name: filename.toWellFormed(),
  type: contentType,
  inline,
});

const sign = (secret: Uint8Array, audience: string, claims: Claims, end: Date): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setExpirationTime(end)
    .sign(secret);

/** The claims, or undefined. The algorithm is ours to say, not the token's (RFC 8725 §3.1). */
async function verify(
  secrets: readonly Uint8Array[],
  token: string,
  audience: string[],
  currentDate: Date,
): Promise<unknown> {
  if (!SHAPE.test(token)) return undefined;
  for (const secret of secrets) {
    try {
      const options = { algorithms: ['HS256'], audience, requiredClaims: ['exp'], currentDate };
      return (await jwtVerify(token, secret, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
}
