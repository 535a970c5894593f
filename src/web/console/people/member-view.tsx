import type { ConsoleMemberQuery } from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { Confirmation, Form, Select } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { isManager, type PageOrganization } from '../ui/frame.tsx';
import { Facts, Time, wordsOf } from '../ui/parts.tsx';
import type { Visit } from '../ui/visit.ts';
import { ROLE_HINT, rolesFor } from './roles.ts';
import type { SubstituteOptions } from './substitute.ts';
import { SubstituteForm, SubstituteText } from './substitute-view.tsx';

type Member = Extract<ConsoleMemberQuery['node'], { __typename: 'OrganizationMember' }>;

interface MemberViewProps {
  visit: Visit;
  organization: PageOrganization;
  member: Member;
  /** Of the viewer. */
  timeZone: string;
  /** The form of the substitute; undefined for who may not set one. */
  substitute?: SubstituteOptions;
  error?: FormError;
}

export const MemberView = (props: MemberViewProps) => {
  const { visit, organization, member } = props;
  const isSelf = member.user.id === visit.viewer.userId;
  const mayChange =
    isManager(organization) && (member.role !== 'OWNER' || organization.viewerRole === 'OWNER');
  return (
    <>
      <section class="card" aria-label="Facts">
        <Facts
          facts={[
            ['E-mail address', <bdi>{shownEmail(member.user.email)}</bdi>],
            ...applicationOf(props),
            ['Role', wordsOf(member.role)],
            ...factorOf(member),
            ['Member since', <Time at={member.createdAt} />],
            ['Added by', <Name of={member.createdBy.name} maxLength={80} />],
            ...substituteOf(props),
          ]}
        />
        {!mayChange && isManager(organization) && <p>Only owners change or remove owners.</p>}
      </section>
      {props.substitute && <SubstituteForm {...props} {...props.substitute} path={pathOf(props)} />}
      {mayChange && <RoleForm {...props} />}
      {(mayChange || isSelf) && <RemoveForm {...props} isSelf={isSelf} />}
    </>
  );
};

/** Nothing where the viewer may not know it. */
const factorOf = ({ clientId, hasSecondFactor }: Member): [string, string][] =>
  hasSecondFactor === null || clientId ? [] : [['Second factor', hasSecondFactor ? 'Yes' : 'None']];

/** Who gets their votes on approvals. */
const substituteOf = ({ member: { substitute }, timeZone }: MemberViewProps) =>
  substitute ? [['Substitute', <SubstituteText {...{ substitute, timeZone }} />] as const] : [];

/** The application whose service account the member is. */
const applicationOf = ({ organization, member: { clientId, user } }: MemberViewProps) =>
  clientId
    ? [
        [
          'Service account of',
          <a href={`/console/${organization.id}/apps/${clientId}`}>
            <Name of={user.name} maxLength={80} />
          </a>,
        ] as const,
      ]
    : [];

const pathOf = ({ organization, member }: MemberViewProps): string =>
  `/console/${organization.id}/people/${member.id}`;

const RoleForm = (props: MemberViewProps) => (
  <section class="card" aria-labelledby="role-title">
    <h2 id="role-title">Change the role</h2>
    <Form action={`${pathOf(props)}/role`} formToken={props.visit.formToken}>
      <Select
        {...{ name: 'role', label: 'Role', hint: ROLE_HINT, error: props.error }}
        choices={rolesFor(props.member.clientId ? 'ADMIN' : props.organization.viewerRole)}
        value={props.member.role}
      />
      <button type="submit">Change the role</button>
    </Form>
  </section>
);

const RemoveForm = ({ isSelf, ...props }: MemberViewProps & { isSelf: boolean }) => (
  <section class="card danger" aria-labelledby="remove">
    <h2 id="remove">{isSelf ? 'Leave the organization' : 'Remove the member'}</h2>
    {props.member.clientId && <p>That deletes the service account: its tokens end at once.</p>}
    <p>
      All access to the organization ends at once. Assignments there end too, and pending approvals count as
      declined.
    </p>
    <Form action={`${pathOf(props)}/remove`} formToken={props.visit.formToken}>
      <Confirmation
        error={props.error}
        text={
          isSelf ? (
            <>
              I want to leave <Name of={props.organization.name} maxLength={80} />
            </>
          ) : (
            <>
              <Name of={props.member.user.name} maxLength={80} /> shall leave{' '}
              <Name of={props.organization.name} maxLength={80} />
            </>
          )
        }
      />
      <button type="submit" class="danger">
        {isSelf ? 'Leave' : 'Remove'}
      </button>
    </Form>
  </section>
);
