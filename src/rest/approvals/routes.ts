import {
  type ApprovalOrderField,
  ApproveApprovalsDocument,
  DeclineApprovalsDocument,
  DenyApprovalsDocument,
  ListApprovalsDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { pageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { decision } from './input.ts';
import { approvalRecord } from './record.ts';

/** The endpoint of a decision: the path of the specification, and the one of older clients as an alias. */
const decisionRoute = (verb: string) => ({
  method: 'POST' as const,
  path: `${PROJECT}/approvals/actions/${verb}`,
  aliases: [`${PROJECT}/approvalActions/${verb}`],
  names: decision.names,
  in: (request: RestRequest) => ({ input: { ...projectPath(request), ...decision(request.body.object()) } }),
});

const SORT_TYPES: Record<ApprovalOrderField, string> = { CREATED_AT: 'CreatedOn', ITEM_NAME: 'ItemName' };

export const approvalRoutes: Route[] = [
  route({
    id: 'listApprovals',
    names: { processId: 'processID' },
    method: 'GET',
    path: `${PROJECT}/approvals`,
    takesSortType: true,
    operation: storedOperation(ListApprovalsDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      ...request.page,
      processId: request.query.text('processID') || null,
      orderBy: request.query.term('sortType', SORT_TYPES) ?? 'CREATED_AT',
    }),
    out: ({ project }, request) => {
      const { approvals } = requireProject(project, request);
      return pageRecord('Approvals', approvals, request.page.first, approvalRecord);
    },
  }),
  route({
    id: 'approveApprovals',
    ...decisionRoute('approve'),
    operation: storedMutation(ApproveApprovalsDocument),
    out: ({ approveApprovals }) => approveApprovals.approvals.map(approvalRecord),
  }),
  route({
    id: 'declineApprovals',
    ...decisionRoute('decline'),
    operation: storedMutation(DeclineApprovalsDocument),
    out: ({ declineApprovals }) => declineApprovals.approvals.map(approvalRecord),
  }),
  route({
    id: 'denyApprovals',
    ...decisionRoute('deny'),
    operation: storedMutation(DenyApprovalsDocument),
    out: ({ denyApprovals }) => denyApprovals.approvals.map(approvalRecord),
  }),
];
