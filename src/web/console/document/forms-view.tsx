import { ButtonForm, Confirmation, Form, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Time } from '../ui/parts.tsx';
import type { ConsoleDocument } from './console-document.ts';

interface FormsProps {
  path: string;
  formToken: string;
  document: ConsoleDocument;
  error?: FormError;
  /** The name that was typed. */
  entered?: string;
}

export const RenameForm = ({ path, formToken, document, error, entered }: FormsProps) => (
  <details class="card" open={entered !== undefined}>
    <summary>Rename the document</summary>
    <Form action={path} formToken={formToken}>
      <input type="hidden" name="version" value={`${document.version}`} />
      <TextInput {...{ name: 'name', label: 'Name', error, value: entered ?? document.name }} />
      <button type="submit">Rename</button>
    </Form>
  </details>
);

export const RecycleForm = ({ path, formToken, error }: FormsProps) => (
  <details class="card" open={error?.at === 'confirm'}>
    <summary>Move the document to the recycle bin</summary>
    <p>
      It disappears from its folder. Until it is deleted for good, it can be restored from the recycle bin.
    </p>
    <Form action={`${path}/recycle`} formToken={formToken}>
      <Confirmation text="The document shall go to the recycle bin" error={error} />
      <button type="submit" class="danger">
        Move to the recycle bin
      </button>
    </Form>
  </details>
);

/** Says that a document is in the recycle bin, and restores it. */
export const RecycledNotice = ({
  path,
  formToken,
  document,
  mayRestore,
}: FormsProps & { mayRestore: boolean }) => (
  <div class="note alarm">
    <p>
      The document is in the recycle bin
      {document.purgeAt && (
        <>
          , and is deleted for good on <Time at={document.purgeAt} />
        </>
      )}
      .
    </p>
    {mayRestore && <ButtonForm action={`${path}/restore`} formToken={formToken} text="Restore" />}
  </div>
);
