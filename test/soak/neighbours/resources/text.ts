import { emptyStringsXlsx, nestedDocx, smallText } from '../files.ts';
import type { Resource } from '../measure.ts';
import { readsText } from '../wait.ts';

let uploads = 0;

const work: Resource['work'] = (victim, _, signal) =>
  readsText(victim, `note-${uploads}.txt`, smallText(`matter ${uploads++}`), signal);

/** Four small files that take long to read. */
export const text: Resource = {
  async aggress({ aggressor }) {
    const bytes = nestedDocx(900, 25_000_000);
    await aggressor.upload(Array.from({ length: 4 }, (_, index) => ({ name: `${index}.docx`, bytes })));
  },
  work,
};

/** A small file that becomes large in memory. */
export const textMemory: Resource = {
  async aggress({ aggressor }) {
    await aggressor.upload([{ name: 'strings.xlsx', bytes: emptyStringsXlsx(25_000_000) }]);
  },
  work,
};
