import type {
  ConsoleGroupCandidatesQuery,
  ConsoleGroupMemberFragment,
  ConsoleGroupQuery,
} from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { Confirmation, Form, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { isManager, type PageOrganization } from '../ui/frame.tsx';
import { Badge, Pager, Row, Rows, wordsOf } from '../ui/parts.tsx';
import type { Visit } from '../ui/visit.ts';

type Group = Extract<ConsoleGroupQuery['node'], { __typename: 'Group' }>;
type Candidates = NonNullable<ConsoleGroupCandidatesQuery['organization']>['members'];

interface GroupViewProps {
  visit: Visit;
  organization: PageOrganization;
  group: Group;
  after: string | undefined;
  /** The beginning of a name or address that was searched for. */
  search: string;
  candidates: Candidates | undefined;
  error?: FormError;
}

export const GroupView = (props: GroupViewProps) => (
  <>
    <Members {...props} />
    <Projects {...props} />
    {isManager(props.organization) && (
      <>
        <AddForm {...props} />
        <NameForm {...props} />
        <DeleteForm {...props} />
      </>
    )}
  </>
);

const pathOf = ({ organization, group }: GroupViewProps): string =>
  `/console/${organization.id}/groups/${group.id}`;

const Members = (props: GroupViewProps) => {
  const { nodes, pageInfo } = props.group.members;
  return (
    <section class="card" aria-labelledby="members">
      <h2 id="members">Members</h2>
      <Rows count={nodes.length} empty="Nobody is in it.">
        {nodes.map((member) => (
          <Row buttons={isManager(props.organization) && <MemberButton {...props} {...{ member }} removes />}>
            <Person member={member} />
          </Row>
        ))}
      </Rows>
      <Pager path={pathOf(props)} after={props.after} pageInfo={pageInfo} />
    </section>
  );
};

/** The projects that the group is in, of those that the viewer sees. */
const Projects = ({ organization, group }: GroupViewProps) => {
  const { nodes, pageInfo } = group.projects;
  return (
    <section class="card" aria-labelledby="projects">
      <h2 id="projects">Projects</h2>
      <Rows count={nodes.length} empty="It is in no project that you see.">
        {nodes.map(({ role, project }) => (
          <Row buttons={<Badge text={wordsOf(role)} />}>
            <a href={`/console/${organization.id}/projects/${project.id}/people`}>
              <Name of={project.name} maxLength={80} />
            </a>
          </Row>
        ))}
      </Rows>
      {pageInfo.hasNextPage && <p>It is in more projects than these.</p>}
    </section>
  );
};

const Person = ({ member: { id, clientId, user } }: { member: ConsoleGroupMemberFragment }) => (
  <>
    <strong id={id}>
      <Name of={user.name} maxLength={80} />
    </strong>
    {clientId && (
      <>
        {' '}
        <Badge text="Service account" />
      </>
    )}
    <p>
      <bdi>{shownEmail(user.email)}</bdi>
    </p>
  </>
);

const MemberButton = ({
  member,
  removes,
  ...props
}: GroupViewProps & { member: ConsoleGroupMemberFragment; removes?: boolean }) => (
  <Form action={`${pathOf(props)}/members`} formToken={props.visit.formToken} class="inline">
    <input type="hidden" name="member" value={member.id} />
    <button
      type="submit"
      name="do"
      value={removes ? 'remove' : 'add'}
      class={removes ? 'small danger' : 'small plain'}
      aria-describedby={member.id}
    >
      {removes ? 'Remove' : 'Add'}
    </button>
  </Form>
);

const AddForm = (props: GroupViewProps) => (
  <section class="card" aria-labelledby="add">
    <h2 id="add">Add members</h2>
    <form class="inline" method="get" action={`${pathOf(props)}#add`}>
      <TextInput name="search" label="Beginning of a name or address" type="search" value={props.search} />
      <button type="submit" class="plain small">
        Find
      </button>
    </form>
    {props.candidates && <CandidateRows {...props} candidates={props.candidates} />}
  </section>
);

const CandidateRows = ({ candidates, ...props }: GroupViewProps & { candidates: Candidates }) => {
  const others = candidates.nodes.filter(({ groups }) =>
    groups.nodes.every(({ id }) => id !== props.group.id),
  );
  return (
    <>
      <Rows count={others.length} empty="Nobody else in the organization begins so.">
        {others.map((member) => (
          <Row buttons={<MemberButton {...props} candidates={candidates} member={member} />}>
            <Person member={member} />
          </Row>
        ))}
      </Rows>
      {candidates.pageInfo.hasNextPage && <p>There are more: enter more of the name.</p>}
    </>
  );
};

const NameForm = (props: GroupViewProps) => (
  <section class="card" aria-labelledby="rename">
    <h2 id="rename">Change the name</h2>
    <Form action={`${pathOf(props)}/name`} formToken={props.visit.formToken}>
      <input type="hidden" name="version" value={props.group.version} />
      <TextInput name="name" label="Name" error={props.error} value={props.group.name} />
      <button type="submit">Save</button>
    </Form>
  </section>
);

const DeleteForm = (props: GroupViewProps) => (
  <section class="card danger" aria-labelledby="delete">
    <h2 id="delete">Delete the group</h2>
    <p>
      Its members stay in the organization, and leave the projects that they are in by this group alone. A
      group that a process names, or with which a form is shared, is not deleted.
    </p>
    <Form action={`${pathOf(props)}/delete`} formToken={props.visit.formToken}>
      <Confirmation
        error={props.error}
        text={
          <>
            <Name of={props.group.name} maxLength={80} /> shall be deleted
          </>
        }
      />
      <button type="submit" class="danger">
        Delete
      </button>
    </Form>
  </section>
);
