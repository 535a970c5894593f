import { withoutHidden } from '../../lib/text/hidden-text.js';

/** A name for display, also one that predates the rules for names: without hidden characters, at most `maxLength` characters. */
export function shownName(name: string, maxLength = 255): string {
  const characters = [
    ...withoutHidden(name)
      .replace(/\p{M}{9,}/gu, (marks) => marks.slice(0, 8))
      .trim(),
  ];
  if (characters.length === 0) return 'No name';
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength - 1).join('')}…`
    : characters.join('');
}

/** A user-chosen name, isolated from the text around it (`<bdi>`), whatever its direction. */
export const Name = ({ of, maxLength }: { of: string; maxLength?: number }) => (
  <bdi class="who">{shownName(of, maxLength)}</bdi>
);
