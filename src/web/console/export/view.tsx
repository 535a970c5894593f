import type { ConsoleExportsQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { sizeText } from '../documents/kind-text.ts';
import { Form } from '../ui/fields.tsx';
import { numberText } from '../ui/numbers.ts';
import { Badge, Row, Rows, Time } from '../ui/parts.tsx';
import type { Visit } from '../ui/visit.ts';

type Organization = NonNullable<ConsoleExportsQuery['organization']>;
type Export = Organization['exports']['nodes'][number];

interface ExportViewProps {
  visit: Visit;
  organization: Organization;
}

export const ExportView = (props: ExportViewProps) => (
  <>
    <p class="lead">
      An archive has all that the organization has: every file, every row, and the event log, without any
      password or key. Another server of Docgraph imports it, and other programs read it.
    </p>
    <Begin {...props} />
    <Archives {...props} />
  </>
);

const Begin = ({ visit, organization: { id } }: ExportViewProps) => (
  <section class="card" aria-labelledby="new-archive">
    <h2 id="new-archive">New archive</h2>
    <Form action={`/console/${id}/export`} formToken={visit.formToken}>
      <p class="hint">
        It can be downloaded for a day. It shows all projects, also those in which you do not take part. The
        log says that you exported it.
      </p>
      <button type="submit">Export</button>
    </Form>
  </section>
);

const Archives = ({ visit, organization: { id, exports } }: ExportViewProps) => (
  <section class="card" aria-labelledby="archives">
    <h2 id="archives">Archives of the last day</h2>
    <Rows count={exports.nodes.length} empty="There is none.">
      {exports.nodes.map((each) => (
        <Row
          buttons={
            <>
              {each.url && (
                <a class="button small" href={each.url} download>
                  Download
                </a>
              )}
              <Form action={`/console/${id}/export/${each.id}/delete`} formToken={visit.formToken}>
                <button class="small plain" type="submit">
                  Delete
                </button>
              </Form>
            </>
          }
        >
          <strong>
            <Time at={each.createdAt} byMinute />
          </strong>{' '}
          <State {...each} />
          <p>
            by <Name of={each.createdBy.name} maxLength={80} />
            {each.size !== null && `, ${sizeText(each.size)}, ${numberText(each.fileCount ?? 0)} files`}
          </p>
          <p class="hint">
            <Remark {...each} page={`/console/${id}/export`} />
          </p>
        </Row>
      ))}
    </Rows>
  </section>
);

const State = ({ state }: Export) =>
  ({
    QUEUED: <Badge text="Waits" />,
    RUNNING: <Badge text="Is being written" />,
    READY: <Badge text="Ready" tone="good" />,
    WITHDRAWN: <Badge text="Withdrawn" tone="bad" />,
    FAILED: <Badge text="Failed" tone="bad" />,
  })[state];

const Remark = ({ state, url, failure, expiresAt, page }: Export & { page: string }) => {
  if (state === 'WITHDRAWN') return <>Something in it was purged, redacted or erased since. Export again.</>;
  if (state === 'FAILED') return <>{failure}</>;
  if (state !== 'READY' || !expiresAt)
    return (
      <>
        A large organization takes some minutes. <a href={page}>Is it ready?</a>
      </>
    );
  return (
    <>
      Until <Time at={expiresAt} byMinute />.{!url && ' Only the person who started it can download it.'}
    </>
  );
};
