import type { ConsoleProcessQuery, ConsoleStepFragment } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { RunRow } from '../approvals/run-row.tsx';
import { ApproversText, DueText, quorumText } from '../approvals/step-texts.tsx';
import { Form } from '../ui/fields.tsx';
import { Facts, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import { mayManage } from '../ui/project-tabs.tsx';

type Process = NonNullable<ConsoleProcessQuery['process']>;

interface ProcessViewProps {
  path: string;
  formToken: string;
  process: Process;
  /** The cursor of the runs. */
  after: string | undefined;
}

export const ProcessView = (props: ProcessViewProps) => {
  const { path, process, after } = props;
  const { runs, project } = process;
  return (
    <>
      <section class="card" aria-labelledby="steps">
        <h2 id="steps">Steps</h2>
        <Facts facts={factsOf(process)} />
        <ol class="rows">
          {process.steps.nodes.map((step, index, steps) => (
            <StepRow step={step} isParallel={step.rank === steps[index - 1]?.rank} />
          ))}
        </ol>
        {mayManage(project) && <Changes {...props} />}
      </section>
      <section class="card" aria-labelledby="runs">
        <h2 id="runs">Where it was started</h2>
        <Rows count={runs.nodes.length} empty="On nothing that you see.">
          {runs.nodes.map((run) => (
            <RunRow run={run} organizationId={project.organizationId} isOfProcess />
          ))}
        </Rows>
        <Pager path={path} after={after} pageInfo={runs.pageInfo} />
      </section>
    </>
  );
};

const factsOf = ({ disabled, createdAt, createdBy, modifiedAt, modifiedBy }: Process) => [
  ['State', disabled ? 'Disabled: it cannot be started' : 'It can be started'] as const,
  ['Created', <Happened at={createdAt} by={createdBy} />] as const,
  ...(modifiedAt ? [['Changed', <Happened at={modifiedAt} by={modifiedBy} />] as const] : []),
];

const Happened = ({ at, by }: { at: string; by: { name: string } | null }) => (
  <>
    <Time at={at} byMinute />
    {by && (
      <>
        {' '}
        by <Name of={by.name} maxLength={60} />
      </>
    )}
  </>
);

const StepRow = ({ step, isParallel }: { step: ConsoleStepFragment; isParallel: boolean }) => (
  <Row>
    <strong>
      <Name of={step.name} maxLength={120} />
    </strong>
    <p>
      {isParallel && 'At the same time as the step before. '}
      {quorumText(step)} <ApproversText step={step} />
      <DueText step={step} />
    </p>
  </Row>
);

const Changes = ({ path, formToken, process: { disabled } }: ProcessViewProps) => (
  <div class="ways">
    <a class="button" href={`${path}/edit`}>
      Change the process
    </a>
    <Form action={`${path}/state`} formToken={formToken} class="one">
      <button type="submit" name="do" value={disabled ? 'enable' : 'disable'} class="plain">
        {disabled ? 'Enable it' : 'Disable it'}
      </button>
    </Form>
  </div>
);
