import { type Mark, Sheet } from '../public/sheet.tsx';
import { describedBy, type Fault, FaultNote, FieldFault } from '../ui/fault-note.tsx';
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
  asker: { name: string; organizationName: string };
  signer: { fullName: string };
  /** The pages to show; none if the document is no PDF. */
  sheets: readonly { number: number; marks: readonly Mark[] }[];
  fields: readonly SigningFieldProps[];
  consent: { text: string; given: boolean; fault?: string };
  faults?: readonly Fault[];
}

/** The page on which a signer reads, fills in and signs the document. */
export const Signing = (props: SigningProps) => {
  const { base, documentName, asker, signer, sheets, faults } = props;
  return (
    <PublicFrame
      title={`${faults ? 'Error: ' : ''}Sign ${shownName(documentName)}`}
      script={props.script}
      style={props.style}
      layout="desk"
    >
      <header class="intro">
        <p class="asker">
          <strong>
            <Name of={asker.name} />
          </strong>{' '}
          of <Name of={asker.organizationName} /> asks for your signature
        </p>
        <h1 class="who">
          <Name of={documentName} />
        </h1>
        <p class="lead">
          <Name of={signer.fullName} />, read the document, fill in what is marked, and sign.{' '}
          <a href={`${base}/copy`}>Download the document</a>
        </p>
      </header>
      <section class="sheets" aria-label="The document">
        {sheets.map(({ number, marks }) => (
          <Sheet base={base} number={number} of={sheets.length} marks={marks} />
        ))}
        {sheets.length === 0 && <Unseen href={`${base}/copy`} />}
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

const FillIn = ({ base, fields, consent, faults }: SigningProps) => (
  <form id="fill" class="card" method="post" action={base} novalidate data-once>
    {faults && <FaultNote faults={faults} />}
    <h2>Your signature</h2>
    {fields.map((field) => (
      <SigningField {...field} />
    ))}
    <div class="field">
      <FieldFault id="consent" text={consent.fault} />
      <label class="check" for="consent">
        <input
          type="checkbox"
          id="consent"
          name="consent"
          value="yes"
          required
          checked={consent.given}
          {...describedBy('consent', { fault: consent.fault !== undefined })}
        />
        <span>{consent.text}</span>
      </label>
    </div>
    <button type="submit">Sign the document</button>
  </form>
);

const Unseen = ({ href }: { href: string }) => (
  <div class="card unseen">
    <h2>This document opens in a program of its own</h2>
    <p>Download it and read it before you sign.</p>
    <a class="button plain" href={href}>
      Download the document
    </a>
  </div>
);

const Decline = ({ action }: { action: string }) => (
  <details class="decline">
    <summary>I will not sign</summary>
    <form class="card" method="post" action={action} data-once>
      <div class="field">
        <label for="reason">
          Reason <span class="optional">(optional)</span>
        </label>
        <span class="hint" id="reason-hint">
          The sender will read it. Nobody can sign the document after that.
        </span>
        <textarea id="reason" name="reason" rows={3} maxlength={2_000} aria-describedby="reason-hint" />
      </div>
      <button type="submit" class="danger">
        Decline to sign
      </button>
    </form>
  </details>
);
