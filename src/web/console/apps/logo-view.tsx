import type { ConsoleAppFragment } from '../../../generated/operations/graphql.ts';
import { ButtonForm, FileInput, Form } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import type { Visit } from '../ui/visit.ts';

interface LogoFormProps {
  visit: Visit;
  app: ConsoleAppFragment;
  /** The page of the application. */
  path: string;
  error?: FormError;
}

/** The logo of an application, which people see before they allow it. */
export const LogoForm = ({ app, visit, path, error }: LogoFormProps) => (
  <section class="card" aria-labelledby="logo-title">
    <h2 id="logo-title">Logo</h2>
    {app.logoPath ? (
      <p>
        <img class="logo" src={app.logoPath} width={64} height={64} alt="The present logo" />
      </p>
    ) : (
      <p>There is none.</p>
    )}
    <Form action={`${path}/logo`} formToken={visit.formToken} hasFile>
      <FileInput
        {...{ name: 'logo', label: 'New picture', accept: 'image/png,image/jpeg,image/webp', error }}
        hint="PNG, JPEG or WebP, at most 256 KiB. It becomes a square of 128 pixels."
      />
      <button type="submit">Save the logo</button>
    </Form>
    {app.logoPath && (
      <ButtonForm action={`${path}/logo/remove`} formToken={visit.formToken} text="Remove the logo" />
    )}
  </section>
);
