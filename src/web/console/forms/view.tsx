import type { ConsoleFormFragment, ConsoleFormsQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Pager, Row, Rows } from '../ui/parts.tsx';

interface FormsProps {
  path: string;
  forms: NonNullable<ConsoleFormsQuery['project']>['formTemplates'];
  after: string | undefined;
}

export const FormsView = ({ path, forms: { nodes, pageInfo }, after }: FormsProps) => (
  <>
    <p class="lead">People fill in a form, and each submission becomes a document of the project.</p>
    <section class="card" aria-label="Forms">
      <Rows count={nodes.length} empty="There is no form that you see.">
        {nodes.map((form) => (
          <Row buttons={<SharingBadge form={form} />}>
            <a href={`${path}/${form.id}`}>
              <Name of={form.name} maxLength={120} />
            </a>
          </Row>
        ))}
      </Rows>
      <Pager path={path} after={after} pageInfo={pageInfo} />
    </section>
  </>
);

/** Who may submit a form. */
export const SharingBadge = ({ form: { state, isPublic } }: { form: ConsoleFormFragment }) => {
  if (state === 'PRIVATE') return <Badge text="Not shared" />;
  return <Badge text={isPublic ? 'Public link' : 'Shared with people'} tone="good" />;
};
