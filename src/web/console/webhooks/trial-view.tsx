import { Time } from '../ui/parts.tsx';
import type { Trial } from './trial.ts';

const ID = 'tried';

/** The buttons at the end of the form of a webhook. The first one is that of the key Enter. */
export const FormButtons = ({ action, save }: { action: string; save: string }) => (
  <div class="pager">
    <button type="submit">{save}</button>
    <button type="submit" class="plain" formaction={`${action}/try#${ID}`}>
      Try it on the newest event
    </button>
  </div>
);

/** What the selection of the form above it gives for the newest event. */
export const TrialResult = ({ trial: { errors, body } }: { trial: Trial }) => (
  <section id={ID} class="tried" aria-labelledby="tried-title" tabindex={-1}>
    <h3 id="tried-title">{errors.length > 0 ? 'The selection is not valid' : 'Tried on the newest event'}</h3>
    {errors.length > 0 ? (
      <SelectionErrors errors={errors} />
    ) : body ? (
      <Body body={JSON.parse(body)} />
    ) : (
      <p>The selection is valid. There is no event yet that the webhook would be sent.</p>
    )}
  </section>
);

/** In lines, as one reads it. */
const Body = ({ body }: { body: { kind: string; createdAt: string } }) => (
  <>
    <p>
      For <code>{body.kind}</code> of <Time at={body.createdAt} byMinute />, this would be sent, without line
      breaks. Nothing was sent, and nothing is saved yet.
    </p>
    <pre tabindex={0}>{JSON.stringify(body, null, 2)}</pre>
  </>
);

const SelectionErrors = ({ errors }: Pick<Trial, 'errors'>) => (
  <ul>
    {errors.map(({ message, line, column }) => (
      <li>
        {line && column ? <strong>{`Line ${line}, character ${column}: `}</strong> : null}
        {message}
      </li>
    ))}
  </ul>
);
