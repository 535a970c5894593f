import { badInput, notFound } from '../../domain/kernel/errors.ts';
import {
  ApproveApprovalsDocument,
  DeclineApprovalsDocument,
  DenyApprovalsDocument,
  ListApprovalsDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, projectPath } from '../wire/path.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';
import { pageRecord } from '../wire/wire.ts';
import { approvalRecord, orderOfSortType } from './record.ts';

/** The specification's path, and the one that older clients send to. */
const action = (verb: string) => ({
  method: 'POST' as const,
  path: `${PROJECT}/approvals/actions/${verb}`,
  aliases: [`${PROJECT}/approvalActions/${verb}`],
  in: (request: RestRequest) => ({
    input: {
      ...projectPath(request),
      ids: request.body.object().texts('IDs') ?? [],
    },
  }),
});

function orderOf({ query }: RestRequest) {
  const type = query.text('sortType') || 'CreatedOn';
  const order = orderOfSortType(type);
  if (!order) throw badInput(`sortType: ${type} is none of CreatedOn, ItemName.`, 'sortType');
  return order;
}

export const approvalRoutes: Route[] = [
  route({
    id: 'listApprovals',
    method: 'GET',
    path: `${PROJECT}/approvals`,
    operation: storedOperation(ListApprovalsDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      ...request.page,
      processId: request.query.text('processID') || null,
      orderBy: orderOf(request),
    }),
    out: ({ project }, request) => {
      if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
      return pageRecord('Approvals', project.approvals, request.page.first, approvalRecord);
    },
  }),
  route({
    id: 'approveApprovals',
    ...action('approve'),
    operation: storedOperation(ApproveApprovalsDocument),
    out: ({ approveApprovals }) => approveApprovals.approvals.map(approvalRecord),
  }),
  route({
    id: 'declineApprovals',
    ...action('decline'),
    operation: storedOperation(DeclineApprovalsDocument),
    out: ({ declineApprovals }) => declineApprovals.approvals.map(approvalRecord),
  }),
  route({
    id: 'denyApprovals',
    ...action('deny'),
    operation: storedOperation(DenyApprovalsDocument),
    out: ({ denyApprovals }) => denyApprovals.approvals.map(approvalRecord),
  }),
];
