import { type Choice, Choices, Form, TextArea, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { type EnteredApp, KINDS } from './entered.ts';

interface NewAppViewProps {
  action: string;
  formToken: string;
  scopes: readonly Choice[];
  error?: FormError;
  entered?: EnteredApp;
}

export const NewAppView = ({ action, formToken, scopes, error, entered }: NewAppViewProps) => (
  <section class="card" aria-label="New application">
    <Form action={action} formToken={formToken}>
      <TextInput
        {...{ name: 'name', label: 'Name', error, value: entered?.name }}
        hint="People see it before they allow the application. At most 50 characters."
      />
      <Choices
        {...{ name: 'kind', label: 'Where does it run?', choices: KINDS, error }}
        chosen={[entered?.kind || 'CONFIDENTIAL']}
        one
      />
      <RedirectUris value={entered?.redirectUris} error={error} />
      <Choices
        {...{ name: 'scopes', label: 'Scopes', choices: scopes, error }}
        hint="What it may ask people for."
        chosen={entered?.scopes ?? []}
      />
      <Pages homePageUrl={entered?.homePageUrl} privacyUrl={entered?.privacyUrl} error={error} />
      <ResourceUri value={entered?.resourceUri} error={error} />
      <button type="submit">Register the application</button>
    </Form>
  </section>
);

interface AddressProps {
  value?: string;
  error?: FormError;
}

export const RedirectUris = ({ value, error }: AddressProps) => (
  <TextArea
    {...{ name: 'redirectUris', label: 'Redirect addresses', value, error, isCode: true, optional: true }}
    hint="Where people return to after they have allowed it: one on each line, such as https://app.example/callback. They are compared character by character."
  />
);

interface PagesProps {
  homePageUrl: string | undefined;
  privacyUrl: string | undefined;
  error: FormError | undefined;
}

/** Pages of an application, for people who are asked to allow it. */
export const Pages = ({ homePageUrl, privacyUrl, error }: PagesProps) => (
  <>
    <TextInput
      {...{ name: 'homePageUrl', label: 'Home page', type: 'url', error, optional: true }}
      value={homePageUrl}
      hint="People see a link to it before they allow the application: an https address."
    />
    <TextInput
      {...{ name: 'privacyUrl', label: 'Page about privacy', type: 'url', error, optional: true }}
      value={privacyUrl}
      hint="Likewise: what it does with data."
    />
  </>
);

export const ResourceUri = ({ value, error }: AddressProps) => (
  <TextInput
    {...{ name: 'resourceUri', label: 'Address of your API', value, error, optional: true }}
    hint="Only for an API of your own: its https address, which tokens name as their audience."
  />
);
