import { FairSlots } from '../../../lib/fair-slots.ts';
import { type ChildLimits, ChildPool, nullIfCostly } from '../../child/child-pool.ts';

/**
 * A picture to convert: to a WebP image or its gray pixels of this width, to a PNG within this side (`drawing`), or to a square
 * WebP image of this side (`logo`).
 */
export interface PictureTask {
  bytes: Uint8Array;
  form: 'webp' | 'grays' | 'drawing' | 'logo';
  width: number;
}

export interface Picture {
  bytes: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
  /** Of a drawing: whether nothing of it is visible on white paper. */
  isBlank?: boolean;
}

/** Limits of one picture. */
export const PICTURE_LIMITS: ChildLimits = { time: 10_000, memory: 512 * 2 ** 20 };

const HEAP_MIB = 64;

const FILE = new URL('./picture-task.js', import.meta.url);

/** Drawings of signers are small, and never queue behind pictures of files. */
const pools = {
  files: new ChildPool<PictureTask, Picture | null>(FILE, new FairSlots({ slots: 3 }), HEAP_MIB),
  drawings: new ChildPool<PictureTask, Picture | null>(FILE, new FairSlots({ slots: 2 }), HEAP_MIB),
};

/**
 * The converted picture, or null for bytes that are broken, of another format, or over 50 million pixels. `key` is the
 * requesting organization. Throws Busy or ChildFailed.
 */
export async function convertPicture(
  task: PictureTask,
  key: string,
  limits: ChildLimits = PICTURE_LIMITS,
): Promise<Picture | null> {
  const pool = task.form === 'drawing' ? pools.drawings : pools.files;
  const picture = await pool.ask(task, limits, { key });
  // Pixels for text recognition are up to 12 MB, and not copied.
  return picture && task.form !== 'grays' ? { ...picture, bytes: new Uint8Array(picture.bytes) } : picture;
}

/**
 * A PNG, JPEG or WebP as a square WebP image, `side` pixels wide, without metadata. Null for bytes that are broken or of
 * another format, and for a picture that takes too many pixels, too long or too much memory. Throws Busy or ChildFailed.
 */
export const convertLogo = (bytes: Uint8Array, side: number, key: string): Promise<Picture | null> =>
  convertPicture({ bytes, form: 'logo', width: side }, key).catch(nullIfCostly);
