import { type GroupOrder, ListGroupsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { pagedOrAll } from '../wire/operations.ts';
import { directionIn } from '../wire/order.ts';
import { PROJECT, projectPath, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import type { Route } from '../wire/route.ts';
import { groupRecord } from './record.ts';

const orderIn = ({ query }: RestRequest): GroupOrder => ({
  field: 'NAME',
  direction: directionIn(query, false),
});

export const groupRoutes: Route[] = [
  {
    id: 'listGroups',
    method: 'GET',
    path: `${PROJECT}/groups`,
    operations: pagedOrAll('Groups', {
      operation: storedOperation(ListGroupsDocument),
      in: (request) => ({ projectId: projectPath(request).projectId, orderBy: orderIn(request) }),
      list: (data, request) => {
        const project = requireProject(data.project, request);
        const { nodes, pageInfo } = project.organization.groups;
        return { nodes: nodes.map((group) => ({ group, project })), pageInfo };
      },
      record: groupRecord,
    }),
  },
];
