import { withoutHidden } from '../../lib/hidden-text.js';

/** Shows a name that may be older than the rules for names: without hidden characters, at most `most` characters long. */
export function shownName(name: string, most = 255): string {
  const characters = [
    ...withoutHidden(name)
      .replace(/\p{M}{9,}/gu, (marks) => marks.slice(0, 8))
      .trim(),
  ];
  if (characters.length === 0) return 'No name';
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

/** A user-chosen name, isolated from the text around it (`<bdi>`), whatever its direction. */
export const Name = ({ of, most }: { of: string; most?: number }) => (
  <bdi class="who">{shownName(of, most)}</bdi>
);
