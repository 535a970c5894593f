import type { Child } from 'hono/jsx';
import type { ConsoleSignatureCheckQuery } from '../../../generated/operations/graphql.ts';
import { Form, TextArea } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';

/** What a receiver got, as it was pasted. */
export interface Received {
  headers: string;
  body: string;
}

export type SignatureCheck = Extract<
  ConsoleSignatureCheckQuery['node'],
  { __typename: 'Webhook' }
>['signatureCheck'];

interface SignatureViewProps {
  path: string;
  formToken: string;
  received?: Received;
  checked?: SignatureCheck;
  error?: FormError;
}

export const SignatureView = ({ path, formToken, received, checked, error }: SignatureViewProps) => (
  <>
    {checked && <Result checked={checked} />}
    <section class="card" aria-label="What the receiver got">
      <p>
        Paste what your receiver got. It is compared here with the secret, which is not shown. How a receiver
        checks it: <a href="/docs/webhooks">Webhooks</a>.
      </p>
      <Form action={path} formToken={formToken} hasFile>
        <TextArea
          {...{
            name: 'headers',
            label: 'Header Docgraph-Signature',
            error,
            value: received?.headers,
            isCode: true,
          }}
          hint="Its value, t=…,v1=…, or all headers, one on each line."
        />
        <TextArea
          {...{ name: 'body', label: 'Body', error, value: received?.body, isCode: true }}
          hint="Exactly as it was received, before it was parsed."
          rows={8}
        />
        <button type="submit">Check it</button>
      </Form>
    </section>
  </>
);

const Result = ({ checked }: { checked: SignatureCheck }) => (
  <div class={checked.result === 'VALID' ? 'note' : 'note alarm'} role="status">
    <h2>{checked.result === 'VALID' ? 'The signature is valid' : 'The signature is not valid'}</h2>
    <p>{REASONS[checked.result]}</p>
    {checked.secret === 'PREVIOUS' && <p>The previous secret signed it, not the one that was made last.</p>}
    {checked.secret && checked.signedAt && <Age signedAt={checked.signedAt} isRecent={checked.isRecent} />}
  </div>
);

const REASONS: Record<SignatureCheck['result'], string> = {
  VALID: 'A secret of this webhook signed exactly this body.',
  MALFORMED:
    'The header does not have the form t=…,v1=…: seconds as a number, then 64 hexadecimal digits in lower case.',
  REFORMATTED:
    'The content is what was signed, but not its bytes: spaces or line breaks were added, or it was parsed and written again. A receiver has to check the body before it parses it.',
  OTHER_WEBHOOK: 'The body is of another webhook, which has another secret.',
  MISMATCH:
    'Another secret signed it, or the header or the body was changed. The body here is neither what the current nor what the previous secret of this webhook signed.',
};

/** A receiver refuses old requests, which somebody could send again. */
const Age = ({ signedAt, isRecent }: { signedAt: string; isRecent: boolean }): Child => (
  <p>
    Signed at <time datetime={signedAt}>{`${signedAt.slice(0, 19).replace('T', ' ')} UTC`}</time>.{' '}
    {isRecent
      ? 'That is within the 5 minutes that receivers allow.'
      : 'That is more than 5 minutes from now: a receiver with this tolerance refuses it now, as it may be a repeat. Compare the time with that of its arrival, and the clock of the receiver.'}
  </p>
);
