import type { ConsoleGroupsQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Form, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { isManager } from '../ui/frame.tsx';
import { Names } from '../ui/names.tsx';
import { Pager, Row, Rows } from '../ui/parts.tsx';
import type { Visit } from '../ui/visit.ts';

type Groups = NonNullable<ConsoleGroupsQuery['organization']>;

interface GroupsViewProps {
  visit: Visit;
  organization: Groups;
  after: string | undefined;
  error?: FormError;
  /** The name that was typed into the form. */
  entered?: string;
}

export const GroupsView = ({ visit, organization, after, error, entered }: GroupsViewProps) => {
  const { nodes, pageInfo } = organization.groups;
  const path = `/console/${organization.id}/groups`;
  return (
    <>
      <p class="lead">
        A group stands for its members where approvers are chosen, and in projects: who is in it takes part.
      </p>
      <section class="card" aria-labelledby="groups">
        <h2 id="groups">All groups</h2>
        <Rows count={nodes.length} empty="There is no group.">
          {nodes.map(({ id, name, members }) => (
            <Row>
              <a href={`${path}/${id}`}>
                <Name of={name} maxLength={80} />
              </a>
              <p>
                <Members {...members} />
              </p>
            </Row>
          ))}
        </Rows>
        <Pager path={path} after={after} pageInfo={pageInfo} />
      </section>
      {isManager(organization) && (
        <section class="card" aria-labelledby="new-group">
          <h2 id="new-group">New group</h2>
          <Form action={path} formToken={visit.formToken}>
            <TextInput name="name" label="Name" error={error} value={entered} />
            <button type="submit">Create</button>
          </Form>
        </section>
      )}
    </>
  );
};

/** The first few members. */
const Members = ({ nodes, pageInfo }: Groups['groups']['nodes'][number]['members']) =>
  nodes.length === 0 ? (
    <>Nobody is in it.</>
  ) : (
    <>
      <Names of={nodes.map(({ user }) => user)} maxLength={40} />
      {pageInfo.hasNextPage && ', and others'}
    </>
  );
