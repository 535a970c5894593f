import { type InputMember, input } from './input.ts';
import { typeText } from './shape.ts';

/** The member `IDs`; a list without it is empty, which the graph refuses or takes for nothing to do. */
export const ids = (about: string): InputMember<string[]> => ({
  members: { IDs: typeText('string[]!', about) },
  names: { '': 'IDs' },
  read: (item) => item.texts('IDs') ?? [],
});

/** A body that has ids alone. What they are the ids of has another name in each operation of the graph. */
export const idList = input(
  'IDs',
  'Ids. All of them change, or none does.',
  { ids: ids('The ids.') },
  { example: { IDs: ['doc_01k9nztfxdmdms8g8s6whatht9'] } },
);
