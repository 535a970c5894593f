import type { Child } from 'hono/jsx';
import { describedBy, type Fault, FaultNote, FieldFault } from '../ui/fault-note.tsx';
import { Name } from '../ui/name.tsx';
import { PublicFrame } from '../ui/public-frame.tsx';
import { type Mark, Sheet } from './sheet.tsx';

export interface NoticeProps {
  title: string;
  text: Child;
  good?: boolean;
  /** A link to continue with. */
  link?: { href: string; text: string };
}

/** A page with one message, such as why a link cannot be opened. */
export const Notice = ({ title, text, good, link }: NoticeProps) => (
  <PublicFrame title={title} layout="narrow">
    <div class="card">
      <span class={good ? 'sign' : 'sign stop'} aria-hidden="true">
        {good ? '✓' : '!'}
      </span>
      <h1>{title}</h1>
      <p class="who">{text}</p>
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
}

/** Shown after signing: what happens next, and the signer's copy. */
export const Signed = ({ base, style, documentName, completed, sheets }: SignedProps) => (
  <PublicFrame title="Signed" style={style} layout="narrow">
    <div class="card">
      <span class="sign" aria-hidden="true">
        ✓
      </span>
      <h1>You have signed</h1>
      <p class="who">
        <Name of={documentName} /> carries your signature.{' '}
        {completed
          ? 'Everyone has signed now.'
          : 'Others have yet to sign. Come back to this page for the finished copy.'}
      </p>
      <a class="button" href={`${base}/copy`}>
        Download {completed ? 'your copy' : 'the document'}
      </a>
    </div>
    {sheets.length > 0 && (
      <details class="done-pages">
        <summary>Look at the document</summary>
        <div class="sheets">
          {sheets.map(({ number, marks }) => (
            <Sheet base={base} number={number} of={sheets.length} marks={marks} />
          ))}
        </div>
      </details>
    )}
  </PublicFrame>
);

export interface AccessCodeProps {
  action: string;
  signer: { fullName: string };
  fault?: Fault;
}

/** Asks for the access code, before anything about the document is shown. */
export const AccessCode = ({ action, signer, fault }: AccessCodeProps) => (
  <PublicFrame title={fault ? 'Error: Access code' : 'Access code'} layout="narrow">
    <form class="card" method="post" action={action} novalidate>
      {fault && <FaultNote faults={[fault]} title="The document stays closed" />}
      <h1>Enter the access code</h1>
      <p class="lead">
        <Name of={signer.fullName} />, you are asked for a signature. Whoever sent you here gave you a code,
        or will tell you one.
      </p>
      <div class="field">
        <label for="code">Access code</label>
        <FieldFault id="code" text={fault?.text} />
        <input
          id="code"
          name="code"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
          required
          autofocus={!fault}
          {...describedBy('code', { fault: fault !== undefined })}
        />
      </div>
      <button type="submit">Open the document</button>
    </form>
  </PublicFrame>
);
