import type { ConsoleOverviewQuery } from '../../../generated/operations/graphql.ts';
import { ProjectRow } from '../projects/project-row.tsx';
import { isManager } from '../ui/frame.tsx';
import { Rows, wordsOf } from '../ui/parts.tsx';
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
      {SECTIONS.filter(([, , , forManagers]) => !forManagers || isManager(organization)).map(
        ([path, title, about]) => (
          <li class="card">
            <h2>
              <a href={`/console/${organization.id}/${path}`}>{title}</a>
            </h2>
            <p>{about}</p>
          </li>
        ),
      )}
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

const SECTIONS = [
  ['people', 'People', 'Who belongs to it, and who is invited.', false],
  ['approvals', 'Approvals', 'What waits for your decision, and what was decided.', false],
  [
    'apps',
    'Applications',
    'Applications of the organization: secrets, redirect addresses, requests to copy.',
    false,
  ],
  [
    'access',
    'Applications of others',
    'Which applications of other organizations members use, and which may act here.',
    true,
  ],
  ['webhooks', 'Webhooks', 'Events sent to addresses: deliveries, answers, sending again.', true],
  ['use', 'Use of the APIs', 'Requests of its applications, and what they use that is deprecated.', true],
  ['mails', 'Mails', 'What became of each mail of the last 90 days.', true],
  ['storage', 'Storage', 'How many documents there are, and how much space they take.', true],
  ['settings', 'Settings', 'Its name, and whether members need a second factor.', true],
  ['security', 'Security events', 'Who changed who can get in, and how.', true],
  ['log', 'Log', 'What happened, by whom; as a file too.', false],
] as const;
