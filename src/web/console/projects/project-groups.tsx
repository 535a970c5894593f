import type { ConsoleProjectPeopleQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Form, Select } from '../ui/fields.tsx';
import { Badge, Row, Rows, wordsOf } from '../ui/parts.tsx';
import { sectionHref, type Visit } from '../ui/visit.ts';
import { ROLES, RoleSelect } from './role-select.tsx';

interface ProjectGroupsProps {
  visit: Visit;
  path: string;
  project: NonNullable<ConsoleProjectPeopleQuery['project']>;
  /** Those of the organization. */
  groups: { id: string; name: string }[];
  mayChange: boolean;
}

type ProjectGroup = ProjectGroupsProps['project']['groups']['nodes'][number];

/** The groups in a project; for its admins with buttons and a form. */
export const ProjectGroups = (props: ProjectGroupsProps) => {
  const { nodes } = props.project.groups;
  const others = props.groups.filter(({ id }) => nodes.every(({ groupId }) => groupId !== id));
  return (
    <section class="card" aria-labelledby="groups">
      <h2 id="groups">Groups</h2>
      <Rows count={nodes.length} empty="No group was added to the project.">
        {nodes.map((group) => (
          <GroupRow {...props} group={group} />
        ))}
      </Rows>
      {props.mayChange && others.length > 0 && <AddGroup {...props} others={others} />}
    </section>
  );
};

const GroupRow = ({
  visit,
  path,
  mayChange,
  group: { groupId, role, group },
}: ProjectGroupsProps & { group: ProjectGroup }) => (
  <Row
    buttons={
      mayChange ? (
        <Form action={`${path}/groups`} formToken={visit.formToken} class="inline">
          <input type="hidden" name="group" value={groupId} />
          <RoleSelect id={groupId} name={group.name} role={role} />
          <button type="submit" name="do" value="change" class="small plain" aria-describedby={groupId}>
            Change
          </button>
          <button type="submit" name="do" value="remove" class="small danger" aria-describedby={groupId}>
            Remove
          </button>
        </Form>
      ) : (
        <Badge text={wordsOf(role)} />
      )
    }
  >
    <a id={groupId} href={`${sectionHref(visit, 'groups')}/${groupId}`}>
      <Name of={group.name} maxLength={80} />
    </a>
  </Row>
);

const AddGroup = ({ visit, path, others }: ProjectGroupsProps & { others: ProjectGroupsProps['groups'] }) => (
  <>
    <h3>Add a group</h3>
    <Form action={`${path}/groups`} formToken={visit.formToken}>
      <Select
        {...{ name: 'group', label: 'Group', value: others[0]?.id }}
        choices={others.map(({ id, name }) => ({ value: id, text: name }))}
        hint="Who is in the group is in the project, also who joins the group later."
      />
      <Select {...{ name: 'groupRole', label: 'Role of its members', choices: ROLES, value: 'EDITOR' }} />
      <button type="submit" name="do" value="add">
        Add the group
      </button>
    </Form>
  </>
);
