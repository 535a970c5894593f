import { type Choice, Choices, Form, Select, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';

export interface Entered {
  name: string;
  scopes: string[];
  /** In days, or `never`. */
  lifetime: string;
}

interface NewKeyViewProps {
  action: string;
  formToken: string;
  scopes: readonly Choice[];
  error?: FormError;
  entered?: Entered;
}

export const LIFETIMES: readonly Choice[] = [
  { value: '7', text: '7 days' },
  { value: '30', text: '30 days' },
  { value: '90', text: '90 days' },
  { value: '365', text: '1 year' },
  { value: 'never', text: 'Never' },
];

export const DEFAULT_LIFETIME = '90';

export const NewKeyView = ({ action, formToken, scopes, error, entered }: NewKeyViewProps) => (
  <section class="card" aria-label="New key">
    <p>
      A program that has the key acts in your name, in all your organizations. Choose no more scopes than it
      needs.
    </p>
    <Form action={action} formToken={formToken}>
      <TextInput
        {...{ name: 'name', label: 'Name', error, value: entered?.name }}
        hint="Where it is used, so that you recognise it later."
      />
      <Choices
        {...{ name: 'scopes', label: 'Scopes', choices: scopes, error }}
        chosen={entered?.scopes ?? []}
      />
      <Select
        {...{ name: 'lifetime', label: 'Ends after', error, choices: LIFETIMES }}
        value={entered?.lifetime ?? DEFAULT_LIFETIME}
      />
      <button type="submit">Create the key</button>
    </Form>
  </section>
);
