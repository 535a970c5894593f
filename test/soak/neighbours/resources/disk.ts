import { pathOf } from '../client.ts';
import { smallText } from '../files.ts';
import type { Resource } from '../measure.ts';
import { keepBusy, readsText } from '../wait.ts';

const LARGE = Buffer.alloc(64 * 2 ** 20, 'large file ');

let uploads = 0;

/** Large uploads, eight at once, to the same addresses again and again. */
export const disk: Resource = {
  async aggress({ aggressor }, signal) {
    const input = { projectId: aggressor.projectId, count: 1_000 };
    const { uploads: reservations } = await aggressor.owner.mutate(
      'reserveUploads',
      input,
      'uploads { url }',
    );
    await keepBusy(
      8,
      (turn) =>
        aggressor.anonymous.send(
          { method: 'PUT', path: pathOf(reservations[turn % 24].url), body: LARGE },
          signal,
        ),
      signal,
    );
  },
  work: (victim, _, signal) =>
    readsText(victim, `note-${uploads}.txt`, smallText(`matter ${uploads++}`), signal),
};
