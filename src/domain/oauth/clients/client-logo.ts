import { createHash } from 'node:crypto';
import type { Transaction } from '../../../db/database.ts';
import { convertLogo } from '../../../files/content/pictures/pictures.ts';
import { badValue } from '../../kernel/errors.ts';
import type { Client } from '../client.ts';

const MAX_KIBIBYTES = 256;

/** Of the stored picture, in pixels. */
const SIDE = 128;

/** A picture as it is stored, and the SHA-256 of that in hexadecimal. */
export interface Logo {
  image: Uint8Array<ArrayBuffer>;
  hash: string;
}

/**
 * Reads the logo of an application from base64. It is decoded in a child process, and encoded anew: nothing of the
 * file itself is kept. Throws BAD_USER_INPUT, and Busy where the organization has too many pictures in conversion.
 */
export async function readLogo({ organizationId }: Client, logo: string): Promise<Logo> {
  const picture = await convertLogo(bytesOf(logo), SIDE, organizationId);
  if (!picture) throw badValue('logo', 'must be a PNG, JPEG or WebP picture of at most 16 million pixels');
  return { image: picture.bytes, hash: createHash('sha256').update(picture.bytes).digest('hex') };
}

function bytesOf(logo: string): Buffer {
  if (logo.length > Math.ceil((MAX_KIBIBYTES * 1_024) / 3) * 4)
    throw badValue('logo', `must not be larger than ${MAX_KIBIBYTES} KiB`);
  if (logo.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(logo))
    throw badValue('logo', 'must be a picture in base64 (RFC 4648 §4)');
  return Buffer.from(logo, 'base64');
}

/** Stores the picture in place of the present one; null removes that. */
export async function storeLogo(tx: Transaction, clientId: string, logo: Logo | null): Promise<void> {
  if (!logo) {
    await tx.prisma.clientLogo.deleteMany({ where: { clientId } });
    return;
  }
  const { image } = logo;
  await tx.prisma.clientLogo.upsert({ where: { clientId }, create: { clientId, image }, update: { image } });
}
