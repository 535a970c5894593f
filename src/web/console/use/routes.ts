import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleAppUseDocument,
  ConsoleKeyUseDocument,
  ConsoleUseDocument,
} from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { consolePage, managed } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { UsageView } from './usage-view.tsx';
import { UseView } from './view.tsx';

const USE = storedOperation(ConsoleUseDocument);
const APP_USE = storedOperation(ConsoleAppUseDocument);
const KEY_USE = storedOperation(ConsoleKeyUseDocument);

const TITLE = 'Use of the APIs';

/** `use` of an organization: the requests of its applications, and what they use that is deprecated. */
export function usePages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/use`, showUse);
  pages.get(`${organizationPath}/use/:app`, showAppUse);
}

/** `/console/keys/KEY/use`: the requests of an API key of the viewer. */
export function keyUsePages(pages: ConsolePages): void {
  pages.get('/console/keys/:key/use', showKeyUse);
}

async function showUse(visit: Visit): Promise<Response> {
  const after = visit.query('after');
  const data = await visit.run(USE, { id: visit.param('organization'), after });
  const organization = managed(data.organization);
  const path = sectionHref(visit, 'use');
  const view = UseView({ path, apps: organization.clients, deprecations: data.deprecations, after });
  return consolePage({ visit, title: TITLE, organization, children: view });
}

async function showAppUse(visit: Visit): Promise<Response> {
  const id = visit.param('organization');
  const data = await visit.run(APP_USE, { id, appId: visit.param('app') });
  const organization = managed(data.organization);
  const app = data.node;
  if (!app || !('requestUsage' in app) || app.organization.id !== id || !app.requestUsage)
    throw notFound('Application');
  return consolePage({
    visit,
    title: app.name,
    organization,
    crumbs: [{ href: sectionHref(visit, 'use'), text: TITLE }],
    children: UsageView({ usage: app.requestUsage }),
  });
}

async function showKeyUse(visit: Visit): Promise<Response> {
  const { node } = await visit.run(KEY_USE, { keyId: visit.param('key') });
  if (!node || !('requestUsage' in node)) throw notFound('ApiKey');
  return consolePage({
    visit,
    title: node.name,
    crumbs: [{ href: '/console/keys', text: 'API keys' }],
    children: UsageView({ usage: node.requestUsage }),
  });
}
