import type { Child } from 'hono/jsx';
import { describedBy, ErrorSummary, type FieldError, FieldErrorText } from '../ui/error-summary.tsx';
import { Name } from '../ui/name.tsx';
import { PublicFrame } from '../ui/public-frame.tsx';
import { type Mark, Sheet } from './sheet.tsx';

export interface NoticeProps {
  title: string;
  text: Child;
  /** Whether it reports a success. */
  success?: boolean;
  /** A link to continue with. */
  link?: { href: string; text: string };
  /** Below the text. */
  more?: Child;
  /** CSS of the page. */
  style?: string;
}

/** A page with one message, such as why a link cannot be opened. */
export const Notice = ({ title, text, success, link, more, style }: NoticeProps) => (
  <PublicFrame title={title} style={style} layout="narrow">
    <div class="card">
      <span class={success ? 'status-icon' : 'status-icon warning'} aria-hidden="true">
        {success ? '✓' : '!'}
      </span>
      <h1>{title}</h1>
      <p class="who">{text}</p>
      {more}
      {link && (
        <a class="button plain" href={link.href}>
          {link.text}
        </a>
      )}
    </div>
  </PublicFrame>
);

export interface SignedProps {
  base: string;
  style: string;
  documentName: string;
  /** Whether everyone has signed. */
  completed: boolean;
  sheets: readonly { number: number; marks: readonly Mark[] }[];
  /** Where other values came after the signature: when it was recorded, and with which values. */
  repeat?: { at: string; values: readonly { label: string; value: string }[] };
}

/** Shown after signing: what happens next, and the signer's copy. */
export const Signed = ({ base, style, documentName, completed, sheets, repeat }: SignedProps) => (
  <PublicFrame title={repeat ? 'Signed already' : 'Signed'} style={style} layout="narrow">
    <div class="card">
      <span class={repeat ? 'status-icon warning' : 'status-icon'} aria-hidden="true">
        {repeat ? '!' : '✓'}
      </span>
      <h1>{repeat ? 'You signed already; this was not used' : 'You have signed'}</h1>
      {repeat && <SignedBefore {...repeat} />}
      <p class="who">
        Your signature on <Name of={documentName} /> was recorded.{' '}
        {completed
          ? 'All signers have signed.'
          : 'Others have not signed yet. Return to this page for the completed copy.'}
      </p>
      <a class="button" href={`${base}/copy`}>
        Download {completed ? 'your copy' : 'the document'}
      </a>
      {completed && (
        <p>
          Whoever gets a copy can <a href="/verify">check whether it is unchanged</a>.
        </p>
      )}
    </div>
    {sheets.length > 0 && (
      <details class="done-pages">
        <summary>Show the document</summary>
        <div class="sheets">
          {sheets.map(({ number, marks }) => (
            <Sheet base={base} number={number} of={sheets.length} marks={marks} />
          ))}
        </div>
      </details>
    )}
  </PublicFrame>
);

const SignedBefore = ({ at, values }: NonNullable<SignedProps['repeat']>) => (
  <div role="alert">
    <p>
      You signed on {at}, in another window or on another device. What you entered just now is not part of the
      document. If what was signed is not what you meant, tell the sender.
    </p>
    <p>This was signed:</p>
    <ul>
      {values.map(({ label, value }) => (
        <li>
          <bdi>{label}</bdi>: <bdi>{value}</bdi>
        </li>
      ))}
    </ul>
  </div>
);

export interface AccessCodeProps {
  action: string;
  signer: { fullName: string };
  error?: FieldError;
}

/** Asks for the access code, before anything about the document is shown. */
export const AccessCode = ({ action, signer, error }: AccessCodeProps) => (
  <PublicFrame title={error ? 'Error: Access code' : 'Access code'} layout="narrow">
    <form class="card" method="post" action={action} novalidate>
      {error && <ErrorSummary errors={[error]} title="There is a problem" />}
      <h1>Enter the access code</h1>
      <p class="lead">
        <Name of={signer.fullName} />, your signature is requested. You get the access code from the sender.
      </p>
      <div class="field">
        <label for="code">Access code</label>
        <FieldErrorText id="code" text={error?.text} />
        <input
          id="code"
          name="code"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
          required
          autofocus={!error}
          {...describedBy('code', { error: error !== undefined })}
        />
      </div>
      <button type="submit">Open the document</button>
    </form>
  </PublicFrame>
);
