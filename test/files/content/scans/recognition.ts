import type { PageProgress, Progress, Recognition } from '../../../../src/files/content/text/ocr-pages.ts';
import { recognizeText } from '../../../../src/files/content/text/ocr-text.ts';
import { Busy } from '../../../../src/lib/fair-slots.ts';
import { sourceOf } from '../bytes.ts';

/** What is kept between turns, in memory. */
export function newProgress(): Progress {
  const pages: PageProgress[] = [];
  return {
    pages,
    begin: async (numbers) => void pages.push(...numbers.map((page) => ({ page, text: null, spent: null }))),
    keep: async (done) =>
      void pages.splice(
        pages.findIndex(({ page }) => page === done.page),
        1,
        done,
      ),
  };
}

export const oneTurn = (
  bytes: Buffer,
  contentType: string,
  how: Partial<Recognition>,
  progress = newProgress(),
) => recognizeText(sourceOf(bytes), contentType, { languages: ['eng'], ...how }, progress);

/** Turn by turn, until it is done. As in the job, a turn for which the machine had no time is taken again. */
export async function recognize(
  bytes: Buffer,
  contentType: string,
  how: Partial<Recognition> = {},
  progress = newProgress(),
) {
  for (;;) {
    const result = await oneTurn(bytes, contentType, how, progress).catch(unfinishedIfBusy);
    if (result !== 'unfinished') return result;
  }
}

function unfinishedIfBusy(error: unknown): 'unfinished' {
  if (error instanceof Busy) return 'unfinished';
  throw error;
}
