import { forbidden } from '../../../domain/kernel/errors.ts';
import {
  ConsoleDeleteOrganizationExportDocument,
  ConsoleExportOrganizationDocument,
  ConsoleExportsDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { ExportView } from './view.tsx';

const EXPORTS = storedOperation(ConsoleExportsDocument);
const EXPORT = storedMutation(ConsoleExportOrganizationDocument);
const DELETE = storedMutation(ConsoleDeleteOrganizationExportDocument);

/** `export` of an organization, for its owners: start, download and delete archives of it. */
export function exportPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/export`;
  pages.get(path, (visit) => showExports(visit));
  pages.postFresh(path, (call) => call.req.path, start);
  pages.post(`${path}/:export/delete`, remove);
}

const DONE: Record<string, string> = {
  started: 'The archive is being written.',
  deleted: 'The archive was deleted.',
};

const pathOf = (visit: Visit): string => sectionHref(visit, 'export');

async function showExports(visit: Visit, error?: FormError): Promise<Response> {
  const organization = visible((await visit.run(EXPORTS, { id: visit.param('organization') })).organization);
  if (organization.viewerRole !== 'OWNER') throw forbidden('Only owners of the organization see this page.');
  return consolePage({
    ...{ visit, title: 'Export', organization, error },
    done: DONE[visit.query('done') ?? ''],
    children: ExportView({ visit, organization }),
  });
}

const start = (visit: Visit): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(EXPORT, { input: { organizationId: visit.param('organization') } });
      return seeOther(`${pathOf(visit)}?done=started`);
    },
    (error) => showExports(visit, error),
  );

const remove = (visit: Visit): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(DELETE, { input: { exportId: visit.param('export') } });
      return seeOther(`${pathOf(visit)}?done=deleted`);
    },
    (error) => showExports(visit, error),
  );
