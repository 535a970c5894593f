import { ConsoleLogDocument, ConsoleLogTimeStampDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { exportOf, FORMATS } from './export.ts';
import { filterOf, type LogFilter, queryOf } from './filter.ts';
import { LogView } from './view.tsx';

const LOG = storedOperation(ConsoleLogDocument);
const TIME_STAMP = storedOperation(ConsoleLogTimeStampDocument);
const PAGE = 50;
const EXPORT_PAGE = 100;

/** `log` of an organization: its events, also as a file. */
export function logPages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/log`, showLog);
  for (const format of Object.values(FORMATS))
    pages.get(`${organizationPath}/log.${format.extension}`, async (visit) => {
      const filter = await filterOf(visit, queryOf(visit));
      if ('status' in filter) return showLog(visit);
      const pageAfter = (after?: string) => readLog(visit, filter, { after, first: EXPORT_PAGE });
      const first = await pageAfter();
      return exportOf(first, pageAfter, format);
    });
}

async function readLog(visit: Visit, filter: LogFilter, page: { after?: string; first: number }) {
  const organization = visible(
    (await visit.run(LOG, { id: visit.param('organization'), ...filter, ...page })).organization,
  );
  return organization;
}

async function showLog(visit: Visit): Promise<Response> {
  const query = queryOf(visit);
  const filter = await filterOf(visit, query);
  if ('status' in filter) return showPage(visit, {}, filter);
  return attempt(
    () => showPage(visit, filter),
    (error) => showPage(visit, {}, error),
  );
}

async function showPage(visit: Visit, filter: LogFilter, error?: FormError): Promise<Response> {
  const after = error ? undefined : visit.query('after');
  const organization = await readLog(visit, filter, { after, first: PAGE });
  const stamped = await visit.run(TIME_STAMP, { id: organization.id });
  const lastStamp = stamped.organization?.logAnchors.nodes[0];
  return consolePage({
    visit,
    title: 'Log',
    organization,
    error,
    children: LogView({ organization, lastStamp, query: queryOf(visit), after, error }),
  });
}
