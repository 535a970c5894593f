import { ids } from '../shape/ids.ts';
import { input } from '../shape/input.ts';
import { filledText } from '../shape/input-member.ts';

export const decision = input(
  'ApprovalIDs',
  'Approvals. All of them change, or none does.',
  {
    ids: ids('The ids of approvals, or of their items.'),
    comment: filledText('Comment', 'A comment on the decision, up to 2,000 characters; stored with it.'),
  },
  { example: { IDs: ['apr_01k9qvw4fabppncjjdqy791n5b'] } },
);
