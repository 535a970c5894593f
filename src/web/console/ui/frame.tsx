import type { Child } from 'hono/jsx';
import { forbidden, notFound } from '../../../domain/kernel/errors.ts';
import type { OrganizationRole } from '../../../generated/operations/graphql.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Document } from '../../ui/layout.tsx';
import { Name, shownName } from '../../ui/name.tsx';
import { page } from '../../ui/page.ts';
import { scriptFile } from '../../ui/script-file.ts';
import { SiteHeader } from '../../ui/site-header.tsx';
import type { FormError } from './form-error.ts';
import { type PageProject, ProjectTabs, projectHref } from './project-tabs.tsx';
import { SearchForm } from './search-form.tsx';
import { MANAGERS, sectionsOf } from './sections.ts';
import { CONSOLE_POLICY, CONSOLE_STYLE } from './style.ts';
import type { Visit } from './visit.ts';

export const COPY_SCRIPT = scriptFile(new URL('copy.js', import.meta.url), '/console/script');

/** The organization of a page, as the fragment ConsoleOrganization reads it. */
export interface PageOrganization {
  id: string;
  name: string;
  viewerRole: OrganizationRole;
}

export const isManager = ({ viewerRole }: PageOrganization): boolean => MANAGERS.includes(viewerRole);

/** The organization of a page. Throws NOT_FOUND where the viewer sees none. */
export function visible<Organization extends PageOrganization>(
  organization: Organization | null | undefined,
): Organization {
  if (!organization) throw notFound('Organization');
  return organization;
}

/** The same of a page for owners and admins. Throws FORBIDDEN for other members. */
export function managed<Organization extends PageOrganization>(
  organization: Organization | null | undefined,
): Organization {
  const seen = visible(organization);
  if (!isManager(seen)) throw forbidden('Only owners and admins of the organization see this page.');
  return seen;
}

export interface Crumb {
  href: string;
  text: string;
}

export interface ConsolePage {
  visit: Visit;
  title: string;
  organization?: PageOrganization;
  /** The project of a page, whose parts it links to. */
  project?: PageProject;
  /** The pages above this one, below the console, the organization and the project. */
  crumbs?: readonly Crumb[];
  /** What was just done. */
  done?: string;
  error?: FormError;
  /** CSP directives in addition to those of the console. */
  policy?: Readonly<Record<string, string>>;
  children: Child;
}

/** The response with a page of the console. */
export const consolePage = (props: ConsolePage): Response =>
  page(ConsoleFrame(props), {
    status: props.error?.status ?? 200,
    policy: { ...CONSOLE_POLICY, ...props.policy },
  });

const ConsoleFrame = ({
  visit,
  title,
  organization,
  project,
  crumbs = [],
  done,
  error,
  children,
}: ConsolePage) => (
  <Document
    title={`${error ? 'Error: ' : ''}${[title, organization && shownName(organization.name, 60)].filter((part) => part).join(' – ')}`}
    style={CONSOLE_STYLE}
    head={<script type="module" src={COPY_SCRIPT.path} />}
  >
    <SiteHeader current="/console" viewerName={visit.viewer.name} />
    <div class="shell">
      <Menu path={visit.path} organization={organization} project={project} />
      <main id="main" tabindex={-1}>
        <Crumbs
          crumbs={[...placeOf(organization), ...(project ? projectCrumbs(project) : []), ...crumbs]}
          path={visit.path}
          title={title}
        />
        {error && (
          <ErrorSummary
            errors={error.at ? [{ at: error.at, text: error.text }] : []}
            title={error.at ? undefined : error.text}
          />
        )}
        {done && (
          <div class="note" role="status">
            <p>{done}</p>
          </div>
        )}
        <h1>
          <Name of={title} maxLength={120} />
        </h1>
        {project && <ProjectTabs path={visit.path} project={project} />}
        {children}
      </main>
    </div>
  </Document>
);

const placeOf = (organization: PageOrganization | undefined): Crumb[] =>
  organization ? [{ href: `/console/${organization.id}`, text: organization.name }] : [];

const projectCrumbs = (project: PageProject): Crumb[] => [
  { href: `/console/${project.organizationId}/projects`, text: 'Projects' },
  { href: projectHref(project), text: project.name },
];

const Crumbs = ({ crumbs, path, title }: { crumbs: readonly Crumb[]; path: string; title: string }) => (
  <nav class="crumbs" aria-label="Breadcrumbs">
    <ol>
      <li>
        <a href="/console">Console</a>
      </li>
      {crumbs
        .filter(({ href }) => href !== path)
        .map(({ href, text }) => (
          <li>
            <a href={href}>
              <Name of={text} maxLength={40} />
            </a>
          </li>
        ))}
      <li aria-current="page">
        <Name of={title} maxLength={40} />
      </li>
    </ol>
  </nav>
);

const OWN_PAGES: readonly Crumb[] = [
  { href: '/console/inbox', text: 'Inbox' },
  { href: '/console/approvals', text: 'Your approvals' },
  { href: '/console/tasks', text: 'Your tasks' },
  { href: '/console/documents', text: 'Your documents' },
  { href: '/console/keys', text: 'API keys' },
  { href: '/console/notifications', text: 'Notifications' },
  { href: '/console/substitutes', text: 'Substitutes' },
  { href: '/console/security', text: 'Events of your account' },
  { href: '/account', text: 'Your account' },
  { href: '/oauth/apps', text: 'Applications with access' },
];

interface MenuProps {
  path: string;
  organization: PageOrganization | undefined;
  project: PageProject | undefined;
}

/** The page of the search has its own form. On a phone the links are folded. */
const Menu = ({ path, organization, project }: MenuProps) => (
  <nav class="menu" aria-label="Console">
    {organization && (
      <>
        <h2>
          <Name of={organization.name} maxLength={40} />
        </h2>
        {path !== `/console/${organization.id}/search` && (
          <SearchForm organizationId={organization.id} project={project} />
        )}
      </>
    )}
    <details>
      <summary>Menu</summary>
      {organization && <MenuLinks path={path} links={sectionsOf(organization)} />}
      <h2>Me</h2>
      <MenuLinks path={path} links={OWN_PAGES} />
    </details>
  </nav>
);

const MenuLinks = ({ path, links }: { path: string; links: readonly Crumb[] }) => (
  <ul>
    {links.map(({ href, text }) => (
      <li>
        <a href={href} aria-current={currentOf(path, href)}>
          {text}
        </a>
      </li>
    ))}
  </ul>
);

const currentOf = (path: string, href: string): 'page' | 'true' | undefined =>
  path === href ? 'page' : path.startsWith(`${href}/`) ? 'true' : undefined;
