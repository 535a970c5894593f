import type { ConsoleSubmissionFragment, FilingState } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Badge, Facts, Row, Time } from '../ui/parts.tsx';
import { type PageProject, projectHref } from '../ui/project-tabs.tsx';

const FILINGS: Record<FilingState, { text: string; tone?: 'good' | 'bad' }> = {
  PENDING: { text: 'Being filed' },
  FILED: { text: 'Filed', tone: 'good' },
  FAILED: { text: 'Not filed', tone: 'bad' },
};

interface SubmissionRowProps {
  project: PageProject;
  submission: ConsoleSubmissionFragment;
}

/** Who sent a submission and when, what became of it, and its answers. */
export const SubmissionRow = ({ project, submission }: SubmissionRowProps) => {
  const { filing, document, submittedBy, createdAt, answers, ipAddress } = submission;
  return (
    <Row buttons={<Badge {...FILINGS[filing.state]} />} more={<Answers answers={answers} at={createdAt} />}>
      <strong>{submittedBy ? <Name of={submittedBy.name} maxLength={80} /> : 'By the public link'}</strong>,{' '}
      <Time at={createdAt} byMinute />
      {ipAddress && <p>From {ipAddress}</p>}
      {document && (
        <p>
          <a href={projectHref(project, `documents/${document.id}`)}>
            <Name of={document.name} maxLength={120} />
          </a>
        </p>
      )}
      {filing.state !== 'FILED' && filing.lastError && (
        <p>
          {filing.lastError}
          {filing.nextAttemptAt && (
            <>
              {' '}
              It is tried again at <Time at={filing.nextAttemptAt} byMinute />.
            </>
          )}
        </p>
      )}
    </Row>
  );
};

type Answers = ConsoleSubmissionFragment['answers'];

const Answers = ({ answers, at }: { answers: Answers; at: string }) =>
  answers.length === 0 ? (
    <p>No field was filled in.</p>
  ) : (
    <details>
      <summary>
        {answers.length === 1 ? '1 answer' : `${answers.length} answers`}
        <span class="unseen"> of {at}</span>
      </summary>
      <Facts
        facts={answers.map(({ formField: { field }, values }) => [
          <Name of={field.label || field.name} maxLength={80} />,
          <Values values={values} isSensitive={field.sensitive} />,
        ])}
      />
    </details>
  );

/** The values of an answer; those of a sensitive field one has to ask for. */
const Values = ({ values, isSensitive }: { values: readonly string[]; isSensitive: boolean }) =>
  isSensitive ? (
    <details>
      <summary>Show the value</summary>
      <span class="text">{values.join(', ')}</span>
    </details>
  ) : (
    <span class="text">{values.join(', ')}</span>
  );
