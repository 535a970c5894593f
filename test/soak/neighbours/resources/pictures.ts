import { widePng } from '../../../files/content/picture-source.ts';
import type { Resource } from '../measure.ts';
import { keepBusy, opensPicture } from '../wait.ts';

const paths: string[] = [];

/** Thumbnails of images of the largest size, each of which is decoded anew. */
export const pictures: Resource = {
  async prepare({ aggressor }) {
    const bytes = widePng(7_000);
    paths.length = 0;
    const ids = await aggressor.upload(
      Array.from({ length: 10 }, (_, index) => ({ name: `${index}.png`, bytes })),
    );
    for (const id of ids)
      for (const width of [2_000, 1_900, 1_800]) {
        const path = await aggressor.thumbnailOf(id, width);
        if (path) paths.push(path);
      }
  },
  aggress: ({ aggressor }, signal) =>
    keepBusy(
      30,
      (turn) =>
        aggressor.anonymous.send({ method: 'GET', path: paths[turn % paths.length] as string }, signal),
      signal,
    ),
  work: (victim, _, signal) => opensPicture(victim, 'map.png', widePng(600), signal),
};
