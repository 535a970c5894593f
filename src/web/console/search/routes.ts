import {
  ConsoleProjectSearchDocument,
  ConsoleProjectSearchScopeDocument,
  ConsoleSearchDocument,
  type ConsoleSearchPageFragment,
  ConsoleSearchScopeDocument,
  type SearchKind,
} from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, type PageOrganization, visible } from '../ui/frame.tsx';
import { type PageProject, visibleProject } from '../ui/project-tabs.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { KIND_TEXTS } from './hit-view.tsx';
import { SearchView } from './view.tsx';

const PARENT = storedOperation(ConsoleSearchScopeDocument);
const SEARCH = storedOperation(ConsoleSearchDocument);
const PROJECT_PLACE = storedOperation(ConsoleProjectSearchScopeDocument);
const PROJECT_SEARCH = storedOperation(ConsoleProjectSearchDocument);

/** `search` of an organization, or of a project in it. */
export function searchPages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/search`, showSearch);
}

/** Where one searches, and what was found there; undefined without a search. */
interface Searched {
  organization: PageOrganization;
  project: PageProject | undefined;
  results: ConsoleSearchPageFragment | undefined;
}

interface SearchQuery {
  query: string;
  kind: SearchKind | undefined;
  after: string | undefined;
}

const queryOf = ({ query }: Visit): SearchQuery => ({
  query: query('q')?.trim() ?? '',
  kind: (Object.keys(KIND_TEXTS) as SearchKind[]).find((kind) => kind === query('kind')),
  after: query('after'),
});

/** A query that is not allowed is shown again. */
async function showSearch(visit: Visit): Promise<Response> {
  const query = queryOf(visit);
  const search = visit.query('project') ? searchProject : searchOrganization;
  return attempt(
    async () => show(visit, query, await search(visit, query)),
    async (error) => show(visit, query, await search(visit, { ...query, query: '' }), error),
  );
}

function show(visit: Visit, query: SearchQuery, searched: Searched, error?: FormError): Response {
  return consolePage({
    visit,
    title: 'Search',
    organization: searched.organization,
    project: searched.project,
    error: error && { ...error, at: undefined },
    children: SearchView({ ...searched, ...query }),
  });
}

async function searchOrganization(visit: Visit, query: SearchQuery): Promise<Searched> {
  const id = visit.param('organization');
  if (!query.query) {
    const { organization } = await visit.run(PARENT, { id });
    return { organization: visible(organization), project: undefined, results: undefined };
  }
  const { search: results, ...organization } = visible(
    (await visit.run(SEARCH, { id, ...query })).organization,
  );
  return { organization, project: undefined, results };
}

async function searchProject(visit: Visit, query: SearchQuery): Promise<Searched> {
  const id = visit.param('organization');
  const projectId = visit.query('project') ?? '';
  if (!query.query) {
    const { organization, project } = await visit.run(PROJECT_PLACE, { id, projectId });
    return {
      organization: visible(organization),
      project: visibleProject(project, id),
      results: undefined,
    };
  }
  const { organization, project } = await visit.run(PROJECT_SEARCH, { id, projectId, ...query });
  const { search: results, ...found } = visibleProject(project, id);
  return { organization: visible(organization), project: found, results };
}
