import { REDACTED } from '../../../domain/events/redaction-check.ts';
import type { ConsoleEventFragment } from '../../../generated/operations/graphql.ts';
import { Confirmation, Form, TextArea } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Rows } from '../ui/parts.tsx';
import { NO_FILTER } from './filter.ts';
import { Changes, EventRow, hasContent } from './view.tsx';

interface EventViewProps {
  event: ConsoleEventFragment;
  /** The path of the log. */
  path: string;
  formToken: string;
  mayRedact: boolean;
  error?: FormError;
  /** What was typed. */
  reason?: string;
}

/** One event of the log with its content, and the form that removes it. */
export const EventView = ({ event, path, mayRedact, ...form }: EventViewProps) => (
  <>
    <section class="card" aria-label="Event">
      <Rows count={1} empty="">
        <EventRow {...{ event, path, query: NO_FILTER, isAlone: true }} />
      </Rows>
      {hasContent(event) && <Changes event={event} />}
    </section>
    {mayRedact && hasContent(event) && event.kind !== REDACTED && (
      <RedactForm {...form} action={`${path}/${event.id}/redact`} />
    )}
  </>
);

interface RedactFormProps extends Pick<EventViewProps, 'formToken' | 'error' | 'reason'> {
  action: string;
}

const RedactForm = ({ action, formToken, error, reason }: RedactFormProps) => (
  <section class="card danger" aria-labelledby="redact">
    <h2 id="redact">Remove its content</h2>
    <p>
      The content is deleted for good, also from the search and from the comments of a document or task. What
      was done, when and by whom is kept, and the log can still be verified. Backups have the content until
      they are deleted.
    </p>
    <Form action={action} formToken={formToken}>
      <TextArea
        {...{ name: 'reason', label: 'Reason', error, value: reason }}
        hint="Kept in the log, for all who see this event"
      />
      <Confirmation text="The content shall be removed" error={error} />
      <button type="submit" class="danger">
        Remove the content
      </button>
    </Form>
  </section>
);
