import { type Mark, Sheet } from '../public/sheet.tsx';
import { describedBy, ErrorSummary, type FieldError, FieldErrorText } from '../ui/error-summary.tsx';
import { Name, shownName } from '../ui/name.tsx';
import { PublicFrame } from '../ui/public-frame.tsx';
import { SigningField, type SigningFieldProps } from './field.tsx';

export interface SigningProps {
  /** Path of this page, without a trailing slash. */
  base: string;
  script: string;
  /** CSS with the positions of the marks. */
  style: string;
  documentName: string;
  sender: { name: string; organizationName: string };
  signer: { fullName: string };
  /** When the time to sign ends. */
  endsAt: Date | null;
  /** Of the file that is shown, downloaded and sealed, in hex. */
  sha256: string;
  /** The pages to show; none if the document is no PDF. */
  sheets: readonly { number: number; marks: readonly Mark[] }[];
  fields: readonly SigningFieldProps[];
  /** The day of signing, with its time zone. */
  day: { text: string; timeZone: string };
  consent: { text: string; checked: boolean; error?: string };
  errors?: readonly FieldError[];
}

/** The page on which a signer reads, fills in and signs the document. */
export const Signing = (props: SigningProps) => {
  const { base, documentName, sheets, errors } = props;
  return (
    <PublicFrame
      title={`${errors ? 'Error: ' : ''}Sign ${shownName(documentName)}`}
      script={props.script}
      style={props.style}
      layout="columns"
    >
      <Introduction {...props} />
      <section class="sheets" aria-label="The document">
        {sheets.map(({ number, marks }) => (
          <Sheet base={base} number={number} of={sheets.length} marks={marks} />
        ))}
        {sheets.length === 0 && <NoPreview href={`${base}/copy`} />}
        <p class="jump">
          <a class="button" href="#fill">
            Fill in and sign
          </a>
        </p>
      </section>
      <div class="panel">
        <FillIn {...props} />
        <Decline action={`${base}/decline`} />
      </div>
    </PublicFrame>
  );
};

const Introduction = ({ base, documentName, sender, signer, endsAt, sha256 }: SigningProps) => (
  <header class="intro">
    <p class="sender">
      <strong>
        <Name of={sender.name} />
      </strong>{' '}
      of <Name of={sender.organizationName} /> requests your signature
    </p>
    <h1 class="who">
      <Name of={documentName} />
    </h1>
    <p class="lead">
      <Name of={signer.fullName} />, read the document, fill in the marked fields, and sign.{' '}
      <a href={`${base}/copy`}>Download the document</a>
    </p>
    {endsAt && (
      <p>
        You can sign until{' '}
        <time datetime={endsAt.toISOString()}>{endsAt.toISOString().slice(0, 16).replace('T', ' ')}</time>{' '}
        (UTC).
      </p>
    )}
    <details class="digest">
      <summary>Fingerprint of the document</summary>
      <p>
        SHA-256 <code>{sha256}</code>
      </p>
      <p>
        It names the file that you see and download here. What is sealed in the end is drawn on that file.
      </p>
    </details>
  </header>
);

const FillIn = ({ base, fields, day, consent, errors }: SigningProps) => (
  <form id="fill" class="card" method="post" action={base} novalidate data-once>
    {errors && <ErrorSummary errors={errors} />}
    <h2>Your signature</h2>
    {fields.map((field) => (
      <SigningField {...field} />
    ))}
    <div class="field">
      <FieldErrorText id="consent" text={consent.error} />
      <label class="check" for="consent">
        <input
          type="checkbox"
          id="consent"
          name="consent"
          value="yes"
          required
          checked={consent.checked}
          {...describedBy('consent', { error: consent.error !== undefined })}
        />
        <span>{consent.text}</span>
      </label>
    </div>
    <p class="hint" data-day={day.text}>
      The day of your signature is <time datetime={day.text}>{day.text}</time> (<span>{day.timeZone}</span>).
      <input type="hidden" name="timeZone" value="" />
    </p>
    <button type="submit">Sign the document</button>
  </form>
);

const NoPreview = ({ href }: { href: string }) => (
  <div class="card no-preview">
    <h2>This document cannot be shown here</h2>
    <p>Download and read it before you sign.</p>
    <a class="button plain" href={href}>
      Download the document
    </a>
  </div>
);

const Decline = ({ action }: { action: string }) => (
  <details class="decline">
    <summary>I do not want to sign</summary>
    <form class="card" method="post" action={action} data-once>
      <div class="field">
        <label for="reason">
          Reason <span class="optional">(optional)</span>
        </label>
        <span class="hint" id="reason-hint">
          The sender can read it. After you decline, nobody can sign the document.
        </span>
        <textarea id="reason" name="reason" rows={3} maxlength={2_000} aria-describedby="reason-hint" />
      </div>
      <button type="submit" class="danger">
        Decline to sign
      </button>
    </form>
  </details>
);
