import { Confirmation, Form, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';

/** The field with the name of a new folder, beside that with the name of the present one. */
export const NEW_FOLDER = 'newFolder';

interface FormsProps {
  /** The path of the page. */
  path: string;
  formToken: string;
  error?: FormError;
  entered?: EnteredNames;
}

/** What was typed into one of the forms. */
export interface EnteredNames {
  newFolder?: string;
  name?: string;
}

export const NewFolderForm = ({ path, formToken, error, entered }: FormsProps) => (
  <details class="card" open={entered?.newFolder !== undefined}>
    <summary>New folder</summary>
    <Form action={`${path}/folders`} formToken={formToken}>
      <TextInput {...{ name: NEW_FOLDER, label: 'Name', error, value: entered?.newFolder }} />
      <button type="submit">Create the folder</button>
    </Form>
  </details>
);

interface FolderFormsProps extends FormsProps {
  folder: { name: string; version: number };
}

export const RenameFolderForm = ({ path, formToken, folder, error, entered }: FolderFormsProps) => (
  <details class="card" open={entered?.name !== undefined}>
    <summary>Rename the folder</summary>
    <Form action={path} formToken={formToken}>
      <input type="hidden" name="version" value={`${folder.version}`} />
      <TextInput {...{ name: 'name', label: 'Name', error, value: entered?.name ?? folder.name }} />
      <button type="submit">Rename</button>
    </Form>
  </details>
);

export const DeleteFolderForm = ({ path, formToken, error }: FormsProps) => (
  <details class="card" open={error?.at === 'confirm'}>
    <summary>Delete the folder</summary>
    <p>
      The folders in it are deleted too. A folder with documents cannot be deleted: move them to the recycle
      bin first.
    </p>
    <Form action={`${path}/delete`} formToken={formToken}>
      <Confirmation text="The folder shall be deleted" error={error} />
      <button type="submit" class="danger">
        Delete
      </button>
    </Form>
  </details>
);
