import { blendedPdf, smallPdf } from '../files.ts';
import type { Resource } from '../measure.ts';
import { keepBusy, opensPicture } from '../wait.ts';

const pictures: string[] = [];

/** Pictures of a page that takes long to draw. What the victim uploads is counted, and its picture drawn. */
export const pdf: Resource = {
  async prepare({ aggressor }) {
    const [id] = (await aggressor.upload([{ name: 'curves.pdf', bytes: blendedPdf(20_000) }])) as [string];
    pictures.length = 0;
    for (let width = 200; width < 220; width++) {
      const path = await aggressor.thumbnailOf(id, width);
      if (path) pictures.push(path);
    }
  },
  aggress: ({ aggressor }, signal) =>
    keepBusy(
      20,
      (turn) =>
        aggressor.anonymous.send({ method: 'GET', path: pictures[turn % pictures.length] as string }, signal),
      signal,
    ),
  work: (victim, _, signal) => opensPicture(victim, 'letter.pdf', smallPdf(), signal),
};
