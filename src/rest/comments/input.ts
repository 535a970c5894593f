import { input } from '../shape/input.ts';
import { requiredTexts } from '../shape/input-member.ts';

export const newComments = input(
  'Comments',
  'New comments.',
  { texts: requiredTexts('Comments', 'The texts of the comments.') },
  { example: { Comments: ['Please check page two.'] } },
);
