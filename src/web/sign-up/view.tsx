import { shownEmail } from '../../lib/text/shown-email.ts';
import { AddressPage } from '../ui/address-page.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Field } from '../ui/field.tsx';
import { Frame } from '../ui/layout.tsx';

/** `/sign-up`: asks for the address. */
export const AskAddress = (entered: { email?: string; error?: string }) => (
  <AddressPage
    title="Create an account"
    lead="Enter your e-mail address. You get a mail with a link that creates the account."
    action="/sign-up"
    {...entered}
  />
);

export interface CreateAccountErrors {
  name?: string;
  password?: string;
  organization?: string;
}

export interface CreateAccountProps {
  path: string;
  email: string;
  /** A person who comes from the identity provider needs none. */
  needsPassword: boolean;
  name?: string;
  organization?: string;
  errors?: CreateAccountErrors;
}

/** The page of a mailed link: asks for what an account needs. */
export const CreateAccount = ({
  path,
  email,
  needsPassword,
  name,
  organization,
  errors,
}: CreateAccountProps) => (
  <Frame title={errors ? 'Error: Create your account' : 'Create your account'}>
    <div class="card">
      {errors && (
        <ErrorSummary errors={Object.entries(errors).flatMap(([at, text]) => (text ? [{ at, text }] : []))} />
      )}
      <h1>Create your account</h1>
      <p class="lead who">
        For <bdi>{shownEmail(email)}</bdi>.
      </p>
      <form method="post" action={path} novalidate>
        <input type="hidden" name="email" autocomplete="username" value={email} />
        <Field
          {...{ name: 'name', label: 'Your name', type: 'text', value: name, error: errors?.name }}
          autocomplete="name"
        />
        {needsPassword && (
          <Field
            {...{ name: 'password', label: 'Choose a password', type: 'password', error: errors?.password }}
            autocomplete="new-password"
          />
        )}
        <Field
          {...{ name: 'organization', label: 'A new organization (may stay empty)', type: 'text' }}
          value={organization}
          autocomplete="organization"
          error={errors?.organization}
        />
        <div class="actions">
          <button type="submit">Create the account</button>
        </div>
      </form>
    </div>
  </Frame>
);
