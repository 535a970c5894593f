import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { typeOfId } from '../../lib/id.ts';
import { type LinkSecrets, linkSecrets } from './link-secret.ts';

/** What an upload URL permits: writing one object of up to `maxSize` bytes. */
export interface UploadTicket {
  key: string;
  maxSize: number;
  /** The organization in whose share the upload is received. URLs of earlier releases have none. */
  organizationId?: string;
}

/** What a download URL permits: reading one object. `inline`: shown in the browser, not saved. */
export interface DownloadTicket {
  key: string;
  filename: string;
  contentType: string;
  inline: boolean;
}

/** What an image URL permits: a picture of one page (from 1) of an object; `width` in pixels. */
interface ImageTicket {
  key: string;
  /** The organization in whose share it is drawn. URLs of earlier releases have none. */
  organizationId?: string;
  contentType: string;
  page: number;
  width: number;
}

/** What a URL of results permits: reading those of one bulk operation. */
export interface BulkTicket {
  organizationId: string;
  id: string;
}

/** What a URL of an archive permits: reading that of one export. */
export type ArchiveTicket = BulkTicket;

/**
 * URLs that contain their own permission, valid for `lifetime` ms. They are below the public URL and need no percent-escapes.
 * The `read…` functions take the last segment of the path, and return undefined for anything but a valid token of that kind.
 */
export interface SignedUrls extends LinkSecrets {
  /** The clock (ms) for the expiry of these URLs, and of others that are not stored. */
  now: () => number;
  /** The URL of a page of this server; the path begins with a slash. */
  page: (path: string) => string;
  upload: (ticket: UploadTicket, lifetime: number) => Promise<string>;
  uploadSession: (ticket: UploadTicket, lifetime: number) => Promise<string>;
  download: (ticket: DownloadTicket, lifetime: number) => Promise<string>;
  image: (ticket: ImageTicket, lifetime: number) => Promise<string>;
  bulkResults: (ticket: BulkTicket, lifetime: number) => Promise<string>;
  archive: (ticket: ArchiveTicket, lifetime: number) => Promise<string>;
  readUpload: (token: string) => Promise<(UploadTicket & { session: boolean }) | undefined>;
  readDownload: (token: string) => Promise<DownloadTicket | undefined>;
  readImage: (token: string) => Promise<ImageTicket | undefined>;
  readBulkResults: (token: string) => Promise<BulkTicket | undefined>;
  readArchive: (token: string) => Promise<ArchiveTicket | undefined>;
}

/** Explicit audiences prevent a token of one kind from being accepted as another (RFC 8725 §3.9). */
const UPLOAD = 'upload';
const SESSION = 'upload-session';
const DOWNLOAD = 'download';
const IMAGE = 'image';
const BULK_RESULTS = 'bulk-results';
const ARCHIVE = 'archive';

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

const bulkClaims = z.object({
  sub: z.string().refine((text) => typeOfId(text) === 'BulkOperation'),
  aud: z.literal(BULK_RESULTS),
  org: z.string(),
});

const archiveClaims = z.object({
  sub: z.string().refine((text) => typeOfId(text) === 'OrganizationExport'),
  aud: z.literal(ARCHIVE),
  org: z.string(),
});

/** The last character of 32 bytes in base64url has two unused bits, which must be 0, so that a token has only one spelling. */
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/**
 * Signs with the first secret and verifies with all, so that a secret can be replaced while URLs are in use. Throws
 * RangeError for a secret below 32 bytes (RFC 7518 §3.2), or without any. `now` returns the time in ms.
 */
export function createSignedUrls(
  secret: Uint8Array | readonly Uint8Array[],
  publicUrl: string,
  now: () => number = Date.now,
): SignedUrls {
  const secrets = secret instanceof Uint8Array ? [secret] : secret;
  const [signing, ...others] = secrets;
  if (!signing || secrets.some((each) => each.length < 32))
    throw new RangeError('URLs are signed with secrets of 32 bytes or more.');
  const keys: [Key, ...Key[]] = [importKey(signing), ...others.map(importKey)];
  const read: ReadClaims = (token, audience) => verify(keys, token, audience, new Date(now()));
  return {
    ...linkSecrets([signing, ...others]),
    ...urlWriters(keys[0], publicUrl.replace(/\/+$/, ''), now),
    ...tokenReaders(read),
    now,
  };
}

/** A secret, imported once: that takes longer than to sign. */
type Key = Promise<CryptoKey>;

const importKey = (secret: Uint8Array): Key =>
  crypto.subtle.importKey('raw', Uint8Array.from(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);

/** Returns the claims of a valid token with one of these audiences; undefined for any other. */
type ReadClaims = (token: string, audience: string[]) => Promise<unknown>;

function urlWriters(key: Key, base: string, now: () => number) {
  const write = async (folder: string, audience: string, claims: Claims, lifetime: number) =>
    `${base}/${folder}/${await sign(key, audience, claims, new Date(now() + lifetime))}`;
  return {
    page: (path: string) => base + path,
    upload: (ticket: UploadTicket, lifetime: number) =>
      write('uploads', UPLOAD, claimsOfUpload(ticket), lifetime),
    uploadSession: (ticket: UploadTicket, lifetime: number) =>
      write('uploads', SESSION, claimsOfUpload(ticket), lifetime),
    download: (ticket: DownloadTicket, lifetime: number) =>
      write('downloads', DOWNLOAD, claimsOfDownload(ticket), lifetime),
    image: (ticket: ImageTicket, lifetime: number) => write('images', IMAGE, claimsOfImage(ticket), lifetime),
    bulkResults: ({ id, organizationId }: BulkTicket, lifetime: number) =>
      write('bulk-results', BULK_RESULTS, { sub: id, org: organizationId }, lifetime),
    archive: ({ id, organizationId }: ArchiveTicket, lifetime: number) =>
      write('archives', ARCHIVE, { sub: id, org: organizationId }, lifetime),
  };
}

const tokenReaders = (read: ReadClaims) => ({
  async readUpload(token: string) {
    const claims = uploadClaims.safeParse(await read(token, [UPLOAD, SESSION])).data;
    if (!claims) return undefined;
    const organization = claims.org && { organizationId: claims.org };
    return { key: claims.sub, maxSize: claims.max, ...organization, session: claims.aud === SESSION };
  },
  async readDownload(token: string) {
    const claims = downloadClaims.safeParse(await read(token, [DOWNLOAD])).data;
    if (!claims) return undefined;
    return { key: claims.sub, filename: claims.name, contentType: claims.type, inline: claims.inline };
  },
  async readImage(token: string) {
    const claims = imageClaims.safeParse(await read(token, [IMAGE])).data;
    if (!claims) return undefined;
    const { sub: key, org: organizationId, type: contentType, page, width } = claims;
    return { key, organizationId, contentType, page, width };
  },
  async readBulkResults(token: string) {
    const claims = bulkClaims.safeParse(await read(token, [BULK_RESULTS])).data;
    return claims && { id: claims.sub, organizationId: claims.org };
  },
  async readArchive(token: string) {
    const claims = archiveClaims.safeParse(await read(token, [ARCHIVE])).data;
    return claims && { id: claims.sub, organizationId: claims.org };
  },
});

type Claims = Record<string, string | number | boolean>;

const claimsOfUpload = ({ key, maxSize, organizationId }: UploadTicket): Claims => ({
  sub: key,
  max: maxSize,
  ...(organizationId && { org: organizationId }),
});
const claimsOfDownload = ({ key, filename, contentType, inline }: DownloadTicket): Claims => ({
  sub: key,
  name: filename.toWellFormed(),
  type: contentType,
  inline,
});

const claimsOfImage = ({ key, organizationId, contentType, page, width }: ImageTicket): Claims => ({
  sub: key,
  ...(organizationId && { org: organizationId }),
  type: contentType,
  page,
  width,
});

const sign = async (key: Key, audience: string, claims: Claims, end: Date): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setExpirationTime(end)
    .sign(await key);

/** The claims, or undefined. The algorithm is fixed, whatever the token names (RFC 8725 §3.1). */
async function verify(
  keys: readonly Key[],
  token: string,
  audience: string[],
  currentDate: Date,
): Promise<unknown> {
  if (!SHAPE.test(token)) return undefined;
  for (const key of keys) {
    try {
      const options = { algorithms: ['HS256'], audience, requiredClaims: ['exp'], currentDate };
      return (await jwtVerify(token, await key, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
}
