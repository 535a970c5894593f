import { ListOpenedDocumentsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { pageRecord } from '../wire/pages.ts';
import { ORGANIZATION, organizationPath, requireOrganization } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { openedDocumentRecord } from './record.ts';

export const openedDocumentRoutes: Route[] = [
  route({
    id: 'listRecentlyAccessedDocuments',
    method: 'GET',
    path: `${ORGANIZATION}/recentlyAccessedDocuments`,
    operation: storedOperation(ListOpenedDocumentsDocument),
    in: (request) => ({ ...organizationPath(request), ...request.page }),
    out: ({ organization }, { page }) => {
      const { viewerMembership, recentlyOpenedDocuments } = requireOrganization(organization);
      return pageRecord('RecentlyAccessedDocuments', recentlyOpenedDocuments, page.first, (opened) =>
        openedDocumentRecord({ ...opened, memberId: viewerMembership?.id }),
      );
    },
  }),
];
