import type { ConsoleOverviewQuery } from '../../../generated/operations/graphql.ts';
import { ProjectRow } from '../projects/project-row.tsx';
import { isManager } from '../ui/frame.tsx';
import { Rows, wordsOf } from '../ui/parts.tsx';
import { sectionsOf } from '../ui/sections.ts';
import { membersText } from './members-text.ts';
import { type Notice, Notices } from './notices.tsx';

type Overview = NonNullable<ConsoleOverviewQuery['organization']>;

const MAX_PROJECTS = 10;

/** The first page of an organization. */
export const OverviewView = ({
  organization,
  notices,
}: {
  organization: Overview;
  notices: readonly Notice[];
}) => (
  <>
    <p class="lead">
      You are {wordsOf(organization.viewerRole).toLowerCase()} here.
      {organization.memberCounts && ` It has ${membersText(organization.memberCounts)}.`} Its id:{' '}
      <code>{organization.id}</code>
    </p>
    {isManager(organization) && (
      <section class="card" aria-labelledby="notices">
        <h2 id="notices">What asks for action</h2>
        <Notices notices={notices} />
      </section>
    )}
    <Projects organization={organization} />
    <ul class="tiles">
      {sectionsOf(organization).map(({ href, text, about }) => (
        <li class="card">
          <h2>
            <a href={href}>{text}</a>
          </h2>
          <p>{about}</p>
        </li>
      ))}
    </ul>
  </>
);

/** The first projects by name, and where all of them are. */
const Projects = ({ organization }: { organization: Overview }) => {
  const { nodes } = organization.projects;
  const path = `/console/${organization.id}/projects`;
  return (
    <section class="card" aria-labelledby="projects">
      <h2 id="projects">Projects</h2>
      <Rows count={nodes.length} empty="You take part in no project here.">
        {nodes.slice(0, MAX_PROJECTS).map((project) => (
          <ProjectRow project={project} />
        ))}
      </Rows>
      {nodes.length > MAX_PROJECTS && (
        <p>
          <a href={path}>All projects</a>
        </p>
      )}
    </section>
  );
};
