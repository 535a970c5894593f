import { Name } from '../../ui/name.tsx';
import { sizeText } from '../documents/kind-text.ts';
import { Confirmation, Form } from '../ui/fields.tsx';
import { isManager } from '../ui/frame.tsx';
import { numberText } from '../ui/numbers.ts';
import { Facts, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import { AssignForm } from './assign-view.tsx';
import { type PolicyViewProps, pathOf } from './policy-props.ts';
import { RuleFields } from './rule-fields.tsx';
import { ruleWords, scopeWords } from './texts.ts';

export const PolicyView = (props: PolicyViewProps) => (
  <>
    <p class="lead">
      <bdi>{ruleWords(props.policy)}</bdi>
    </p>
    {props.policy.lockedAt && (
      <p>
        Locked since <Time at={props.policy.lockedAt} /> by{' '}
        <Name of={props.policy.lockedBy?.name ?? ''} maxLength={80} />: it only becomes longer, and what it is
        assigned to stays.
      </p>
    )}
    <Assignments {...props} />
    {isManager(props.organization) && (
      <>
        <AssignForm {...props} />
        <Preview {...props} />
        <ChangeForm {...props} />
        {!props.policy.lockedAt && (
          <>
            <LockForm {...props} />
            <DeleteForm {...props} />
          </>
        )}
      </>
    )}
  </>
);

const Assignments = (props: PolicyViewProps) => {
  const { nodes, pageInfo } = props.policy.assignments;
  const mayRemove = isManager(props.organization) && !props.policy.lockedAt;
  return (
    <section class="card" aria-labelledby="assignments">
      <h2 id="assignments">What it keeps</h2>
      <Rows count={nodes.length} empty="Nothing: it is not assigned.">
        {nodes.map((assignment) => (
          <Row
            buttons={
              mayRemove && (
                <Form action={`${pathOf(props)}/unassign`} formToken={props.visit.formToken} class="one">
                  <input type="hidden" name="assignment" value={assignment.id} />
                  <button type="submit" class="small danger" aria-describedby={assignment.id}>
                    Remove
                  </button>
                </Form>
              )
            }
          >
            <bdi id={assignment.id}>{scopeWords(assignment)}</bdi>
          </Row>
        ))}
      </Rows>
      <Pager path={pathOf(props)} after={props.after} pageInfo={pageInfo} />
    </section>
  );
};

/** What the server would do, now or with the change that was entered. */
const Preview = ({ organization, preview, isChange }: PolicyViewProps) =>
  preview && (
    <section class="card" aria-labelledby="preview">
      <h2 id="preview">{isChange ? 'What the change would do' : 'What happens now'}</h2>
      <Facts
        facts={[
          ['Documents that it covers', numberText(preview.coveredCount)],
          ...(isChange
            ? [
                ['Kept for less time', numberText(preview.shortenedCount)] as const,
                ['Kept for longer', numberText(preview.lengthenedCount)] as const,
              ]
            : []),
          ['Purged by the next run', `${numberText(preview.purgeCount)}, ${sizeText(preview.purgeBytes)}`],
          ['Put to review', numberText(preview.reviewCount)],
        ]}
      />
      {preview.documents.length > 0 && (
        <details>
          <summary>The first of them, of all policies</summary>
          <ul>
            {preview.documents.map(({ id, name, project }) => (
              <li>
                <a href={`/console/${organization.id}/projects/${project.id}/documents/${id}`}>
                  <Name of={name} maxLength={80} />
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );

const ChangeForm = (props: PolicyViewProps) => (
  <section class="card" aria-labelledby="change">
    <h2 id="change">Change it</h2>
    <Form action={`${pathOf(props)}/change`} formToken={props.visit.formToken}>
      <input type="hidden" name="version" value={props.policy.version} />
      <RuleFields entered={props.entered} error={props.error} groups={props.organization.groups.nodes} />
      <div class="buttons">
        <button type="submit" name="do" value="preview" class="plain">
          Show the effect
        </button>
        <button type="submit">Save</button>
      </div>
    </Form>
  </section>
);

const LockForm = (props: PolicyViewProps) => (
  <section class="card danger" aria-labelledby="lock">
    <h2 id="lock">Lock it for good</h2>
    <p>
      Nobody can shorten or delete a locked policy, or remove what it is assigned to, owners included.
      Documents that it covers stay under it wherever they are moved.
    </p>
    <Form action={`${pathOf(props)}/lock`} formToken={props.visit.formToken}>
      <Confirmation error={props.error} text="It shall be locked, which cannot be undone" />
      <button type="submit" class="danger">
        Lock
      </button>
    </Form>
  </section>
);

const DeleteForm = (props: PolicyViewProps) => (
  <section class="card danger" aria-labelledby="delete">
    <h2 id="delete">Delete it</h2>
    <p>Documents that no other policy keeps can be purged again. Its reviews end undecided.</p>
    <Form action={`${pathOf(props)}/delete`} formToken={props.visit.formToken}>
      <button type="submit" class="danger">
        Delete
      </button>
    </Form>
  </section>
);
