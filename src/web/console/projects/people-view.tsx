import type { ConsoleProjectPeopleQuery } from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { Form, Select, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Names } from '../ui/names.tsx';
import { Badge, Pager, Row, Rows, wordsOf } from '../ui/parts.tsx';
import type { Visit } from '../ui/visit.ts';
import { accessText } from './access-text.ts';
import { ProjectGroups } from './project-groups.tsx';
import { ROLES, RoleSelect } from './role-select.tsx';

export interface Entered {
  email: string;
  role: string;
}

interface ProjectPeopleProps {
  visit: Visit;
  path: string;
  project: NonNullable<ConsoleProjectPeopleQuery['project']>;
  /** Those of the organization. */
  groups: { id: string; name: string }[];
  after: string | undefined;
  error?: FormError;
  /** What was typed into the form that adds somebody. */
  entered?: Entered;
}

export const ProjectPeopleView = (props: ProjectPeopleProps) => {
  const { project } = props;
  const mayChange = project.viewerRole === 'ADMIN' && !project.disabled;
  return (
    <>
      <p class="lead">
        {accessText(project.access)} Owners and admins of the organization have access anyway.
        {project.disabled && ' The project is disabled: nothing in it changes.'}
      </p>
      <Members {...props} mayChange={mayChange} />
      <ProjectGroups {...props} mayChange={mayChange} />
      {mayChange && <AddForm {...props} />}
    </>
  );
};

type Changing = ProjectPeopleProps & { mayChange: boolean };
type Member = ProjectPeopleProps['project']['members']['nodes'][number];

const Members = ({ mayChange, ...props }: Changing) => {
  const { path, visit, project, after } = props;
  const { nodes, pageInfo } = project.members;
  return (
    <section class="card" aria-label="People">
      <Rows count={nodes.length} empty="Nobody was added to the project.">
        {nodes.map((member) => (
          <MemberRow {...{ member, mayChange, path, formToken: visit.formToken }} />
        ))}
      </Rows>
      <Pager path={path} after={after} pageInfo={pageInfo} />
      {project.invitations.nodes.length > 0 && <Invited {...props} mayChange={mayChange} />}
    </section>
  );
};

const MemberRow = ({
  member: { id, user, role, ownRole, effectiveRole, groups },
  mayChange,
  path,
  formToken,
}: {
  member: Member;
  mayChange: boolean;
  path: string;
  formToken: string;
}) => (
  <Row
    buttons={
      mayChange && ownRole ? (
        <Form action={`${path}/members`} formToken={formToken} class="inline">
          <input type="hidden" name="member" value={id} />
          <RoleSelect id={id} name={user.name} role={ownRole} />
          <button type="submit" name="do" value="change" class="small plain" aria-describedby={id}>
            Change
          </button>
          <button type="submit" name="do" value="remove" class="small danger" aria-describedby={id}>
            Remove
          </button>
        </Form>
      ) : (
        <Badge text={wordsOf(effectiveRole)} />
      )
    }
  >
    <strong id={id}>
      <Name of={user.name} maxLength={80} />
    </strong>
    <p>
      <bdi>{shownEmail(user.email)}</bdi>
      {effectiveRole !== role &&
        ` – acts as ${wordsOf(effectiveRole).toLowerCase()}, by the role in the organization`}
    </p>
    {groups.nodes.length > 0 && (
      <p>
        {ownRole ? 'Also in it by ' : 'In it by '}
        <Names of={groups.nodes.map(({ group }) => group)} maxLength={40} />
        {groups.pageInfo.hasNextPage && ' and other groups'}
        {ownRole && ownRole !== role && ` – ${wordsOf(role).toLowerCase()} by that`}
      </p>
    )}
  </Row>
);

const Invited = ({ path, visit, project, mayChange }: Changing) => (
  <>
    <h3>Invited, and added once they accept</h3>
    <Rows count={project.invitations.nodes.length} empty="">
      {project.invitations.nodes.map(({ id, email, role }) => (
        <Row
          buttons={
            mayChange && (
              <Form action={`${path}/invitations`} formToken={visit.formToken} class="inline">
                <button type="submit" name="invitation" value={id} class="small danger" aria-describedby={id}>
                  Remove
                </button>
              </Form>
            )
          }
        >
          <strong id={id}>
            <bdi>{shownEmail(email)}</bdi>
          </strong>{' '}
          <Badge text={wordsOf(role)} />
        </Row>
      ))}
    </Rows>
  </>
);

const AddForm = ({ path, visit, error, entered }: ProjectPeopleProps) => (
  <section class="card" aria-labelledby="add">
    <h2 id="add">Add somebody</h2>
    <Form action={`${path}/add`} formToken={visit.formToken}>
      <TextInput
        {...{ name: 'email', label: 'E-mail address', type: 'email', error, value: entered?.email }}
        hint="Of a member of the organization, or of a person who is invited to it."
      />
      <Select
        {...{ name: 'role', label: 'Role', error, choices: ROLES, value: entered?.role ?? 'EDITOR' }}
        hint="Admins decide who takes part, editors change documents, viewers read them."
      />
      <button type="submit">Add</button>
    </Form>
  </section>
);
