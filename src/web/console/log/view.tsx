import type {
  ConsoleEventFragment,
  ConsoleLogQuery,
  ConsoleLogTimeStampQuery,
} from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { hrefOf, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import type { LogQuery } from './filter.ts';

type LogStamp = NonNullable<ConsoleLogTimeStampQuery['organization']>['logAnchors']['nodes'][number];

interface LogViewProps {
  organization: NonNullable<ConsoleLogQuery['organization']>;
  /** The newest time-stamp of the log. */
  lastStamp: LogStamp | undefined;
  query: LogQuery & Record<string, string>;
  after: string | undefined;
  error?: FormError;
}

export const LogView = ({ organization, lastStamp, query, after, error }: LogViewProps) => {
  const path = `/console/${organization.id}/log`;
  const { nodes, pageInfo } = organization.events;
  return (
    <>
      <p class="lead">
        What happened, newest first: events of what you see. Times are in UTC. As a file:{' '}
        <a href={hrefOf(`${path}.csv`, query)}>CSV</a>,{' '}
        <a href={hrefOf(`${path}.jsonl`, query)}>JSON lines</a>.
      </p>
      {lastStamp && <LastTimeStamp {...lastStamp} />}
      <section class="card" aria-label="Filter">
        <form method="get" action={path} class="inline">
          <TextInput
            {...{ name: 'kinds', label: 'Kinds', value: query.kinds, error, optional: true }}
            hint="Such as task.*"
          />
          <TextInput
            {...{ name: 'actor', label: 'Person', value: query.actor, error, optional: true }}
            hint="E-mail address or id"
          />
          <TextInput
            {...{ name: 'app', label: 'Application', value: query.app, error, optional: true }}
            hint="Its client_id"
          />
          <TextInput
            {...{ name: 'from', label: 'From', type: 'date', value: query.from, error, optional: true }}
          />
          <TextInput {...{ name: 'to', label: 'To', type: 'date', value: query.to, error, optional: true }} />
          <button type="submit" class="plain">
            Filter
          </button>
          {Object.values(query).some((value) => value !== '') && <a href={path}>Without a filter</a>}
        </form>
      </section>
      <section class="card" aria-label="Events">
        <Rows count={nodes.length} empty="There is no such event.">
          {nodes.map((event) => (
            <EventRow event={event} path={path} query={query} />
          ))}
        </Rows>
        <Pager path={path} filters={query} after={after} pageInfo={pageInfo} />
      </section>
    </>
  );
};

const LastTimeStamp = ({ size, stampedAt, authority }: LogStamp) => (
  <p>
    The events up to number {size} were recorded before <Time at={stampedAt} byMinute />, by the clock of{' '}
    <Name of={authority} maxLength={120} />.
  </p>
);

interface EventRowProps {
  event: ConsoleEventFragment;
  path: string;
  query: LogQuery & Record<string, string>;
  /** On the page of the event, which has its content below. */
  isAlone?: boolean;
}

export const hasContent = ({ changes, text }: ConsoleEventFragment): boolean =>
  changes.length > 0 || text !== null;

/** One event, with links to the log of its kind, of its person and of its application. */
export const EventRow = ({ event, path, query, isAlone }: EventRowProps) => (
  <Row
    more={
      hasContent(event) &&
      !isAlone && (
        <details>
          <summary>
            What changed
            <span class="unseen">
              {' '}
              in {event.kind} number {event.sequence}
            </span>
          </summary>
          <Changes event={event} />
          <a href={`${path}/${event.id}`}>Event {event.sequence}</a>
        </details>
      )
    }
  >
    <a href={hrefOf(path, { ...query, kinds: event.kind })}>{event.kind}</a>{' '}
    <Time at={event.createdAt} byMinute />
    <p>
      {event.createdBy ? (
        <a href={hrefOf(path, { ...query, actor: event.createdBy.id })}>
          <Name of={event.createdBy.name} maxLength={80} />
        </a>
      ) : (
        'The server, or a person without an account'
      )}
      {event.application && (
        <>
          {' '}
          with{' '}
          <a href={hrefOf(path, { ...query, app: event.application.clientId })}>
            <Name of={event.application.name} maxLength={80} />
          </a>
        </>
      )}
      {event.via && (
        <>
          {' '}
          through <code>{event.via}</code> <code>{event.tool}</code>
        </>
      )}{' '}
      · <code>{event.subjectId}</code>
    </p>
    {event.redaction && (
      <p>
        Its content was removed on <Time at={event.redaction.createdAt} byMinute /> by{' '}
        {event.redaction.createdBy ? (
          <Name of={event.redaction.createdBy.name} maxLength={80} />
        ) : (
          'the administrator of the server'
        )}
        .
      </p>
    )}
  </Row>
);

/** Each changed member with its value before and after. */
export const Changes = ({ event }: { event: ConsoleEventFragment }) => (
  <pre tabindex={0}>
    {[
      ...(event.text ? [event.text] : []),
      ...event.changes.map(({ member, before, after }) => `${member}: ${before ?? '–'} → ${after ?? '–'}`),
    ].join('\n')}
  </pre>
);
