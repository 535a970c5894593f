import { withoutHidden } from '../../lib/hidden-text.js';

/** What a name that was stored before the rules for names looks like: without hidden characters, at most `most` long. */
export function shownName(name: string, most = 255): string {
  const characters = [
    ...withoutHidden(name)
      .replace(/\p{M}{9,}/gu, (marks) => marks.slice(0, 8))
      .trim(),
  ];
  if (characters.length === 0) return 'No name';
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

/** A name that somebody chose, apart from our own words, whatever direction it is written in. */
export const Name = ({ of, most }: { of: string; most?: number }) => (
  <bdi class="who">{shownName(of, most)}</bdi>
);
