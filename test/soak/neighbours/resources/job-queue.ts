import { smallText } from '../files.ts';
import type { Resource } from '../measure.ts';
import type { Sent } from '../town.ts';
import { readsText } from '../wait.ts';

let waiting: Sent[] = [];
let uploads = 0;

/** A thousand small files at once, each of which is work to do. */
export const jobQueue: Resource = {
  async prepare({ aggressor }) {
    const files = Array.from({ length: 1_000 }, (_, index) => ({
      name: `${index}.txt`,
      bytes: smallText(`matter ${index}`),
    }));
    waiting = await aggressor.send(files);
  },
  async aggress({ aggressor }) {
    await aggressor.confirm(waiting);
  },
  work: (victim, _, signal) =>
    readsText(victim, `note-${uploads}.txt`, smallText(`matter ${uploads++}`), signal),
};
