import { decision } from '../../../approvals/input.ts';
import { shapesOf } from '../../../shape/shape.ts';
import type { Area, Operation } from '../contract.ts';

const action = (summary: string, details: string): Operation => ({
  summary,
  details,
  body: 'ApprovalIDs',
  answer: 'Approval[]',
});

export const approvalArea: Area = {
  title: 'Approvals',
  about: 'A process asks for approval of a document or a task, step by step.',
  inputs: shapesOf([decision]),
  operations: {
    listApprovals: {
      summary: 'List the approvals that wait for the caller',
      query: {
        processID: 'string Only approvals of this process.',
        sortType: 'string `CreatedOn` (default) or `ItemName`.',
      },
      answer: { key: 'Approvals', of: 'Approval' },
    },
    listProcesses: {
      summary: 'List the processes of a project',
      details: 'Without disabled ones, which cannot be started. By name.',
      query: {
        getAll: 'boolean All processes in one page, whose PageSize is 0.',
        sortDescending: 'boolean From the last name to the first.',
      },
      answer: { key: 'Processes', of: 'Process' },
    },
    approveApprovals: action('Approve', 'Approves the items in the name of the caller.'),
    declineApprovals: action('Decline', 'Withdraws the caller from the approvals without a decision.'),
    denyApprovals: action('Deny', 'Denies the items in the name of the caller, which ends the process.'),
  },
};
