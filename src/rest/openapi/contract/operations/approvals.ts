import type { Area, Operation } from '../contract.ts';

const action = (summary: string, details: string): Operation => ({
  summary,
  details,
  body: 'ApprovalIDs',
  answer: 'Approval[]',
});

export const approvalArea: Area = {
  title: 'Approvals',
  about: 'Processes ask people, step by step, whether a document or a task is right.',
  inputs: {
    ApprovalIDs: {
      about: 'Approvals. All of them are acted on, or none is.',
      members: { IDs: 'string[]! The ids of approvals, or of their items.' },
      example: { IDs: ['apr_01k9czhv7gqyd0yj0yk8wz1hm6'] },
    },
  },
  operations: {
    listApprovals: {
      summary: 'List what waits for the caller',
      query: {
        processID: 'string Only this process.',
        sortType: 'string `CreatedOn`, as it is when left out, or `ItemName`.',
      },
      answer: { key: 'Approvals', of: 'Approval' },
    },
    approveApprovals: action('Approve', 'The caller’s yes.'),
    declineApprovals: action('Decline', 'It takes the caller out, and decides nothing.'),
    denyApprovals: action('Deny', 'The caller’s no. It ends the process and denies the item.'),
  },
};
