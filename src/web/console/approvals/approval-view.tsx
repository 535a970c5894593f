import type { ConsoleApprovalQuery } from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { Form, TextArea } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Facts, Time } from '../ui/parts.tsx';
import { STATE_TEXTS } from './approval-row.tsx';
import { StepsView } from './steps-view.tsx';

type Approval = NonNullable<ConsoleApprovalQuery['approval']>;

interface ApprovalViewProps {
  path: string;
  formToken: string;
  /** Whether the viewer started the run, and it is pending. */
  mayWithdraw: boolean;
  approval: Approval;
  error?: FormError;
  /** What was typed, after a refusal. */
  comment?: string;
}

export const ApprovalView = (props: ApprovalViewProps) => {
  const { approval } = props;
  return (
    <>
      <section class="card" aria-label="What is to be approved">
        <ApprovalFacts approval={approval} />
        {approval.item.description && <p class="text">{approval.item.description}</p>}
        <Ways approval={approval} />
      </section>
      {approval.waitsForViewer && <Decision {...props} />}
      {props.mayWithdraw && <Withdrawal {...props} />}
      <StepsView {...{ run: approval.run, process: approval.process, approvalId: approval.id }} />
    </>
  );
};

const ApprovalFacts = ({ approval }: { approval: Approval }) => {
  const { item, project, process, run, state, organizationId } = approval;
  return (
    <Facts
      facts={[
        ['State', state === 'PENDING' ? 'It waits for a decision' : STATE_TEXTS[state]],
        [item.kind === 'TASK' ? 'Task' : 'Document', <Name of={item.name} maxLength={255} />],
        [
          'Project',
          <a href={`/console/${organizationId}/projects/${project.id}`}>
            <Name of={project.name} maxLength={80} />
          </a>,
        ],
        ['Process', <Name of={process.name} maxLength={80} />],
        [
          'Requested',
          <>
            by <Name of={run.createdBy.name} maxLength={80} /> (<bdi>{shownEmail(run.createdBy.email)}</bdi>)
            on <Time at={run.createdAt} byMinute />
          </>,
        ],
      ]}
    />
  );
};

/** Links to read it, and to its own page. */
const Ways = ({ approval: { item, project, organizationId } }: { approval: Approval }) => (
  <p class="ways">
    {item.document && (
      <a href={item.document.downloadUrl} target="_blank" rel="noreferrer">
        Read the document
      </a>
    )}{' '}
    <a
      href={`/console/${organizationId}/projects/${project.id}/${item.kind === 'TASK' ? 'tasks' : 'documents'}/${item.itemId}`}
    >
      {item.kind === 'TASK' ? 'Page of the task' : 'Page of the document'}
    </a>
  </p>
);

const Decision = ({ path, formToken, error, comment }: ApprovalViewProps) => (
  <section class="card" aria-labelledby="decision">
    <h2 id="decision">Your decision</h2>
    <Form action={path} formToken={formToken}>
      <TextArea
        {...{ name: 'comment', label: 'Comment (optional)', error, value: comment, optional: true }}
      />
      <div class="buttons">
        <button type="submit" name="decision" value="approve">
          Approve
        </button>
        <button type="submit" name="decision" value="deny" class="danger">
          Deny
        </button>
      </div>
    </Form>
  </section>
);

const Withdrawal = ({ path, formToken }: ApprovalViewProps) => (
  <section class="card" aria-labelledby="withdrawal">
    <h2 id="withdrawal">Your request</h2>
    <p>You started this process. If you withdraw it, nobody has to decide it any more.</p>
    <Form action={path} formToken={formToken}>
      <div class="buttons">
        <button type="submit" name="decision" value="withdraw" class="danger">
          Withdraw
        </button>
      </div>
    </Form>
  </section>
);
