import { ErrorSummary } from './error-summary.tsx';
import { Field } from './field.tsx';
import { Frame } from './layout.tsx';

export interface AddressPageProps {
  title: string;
  lead: string;
  /** Where the form is sent. */
  action: string;
  /** What was entered before. */
  email?: string;
  error?: string;
}

/** A page that asks for an e-mail address, to which a mail with a link is sent. */
export const AddressPage = ({ title, lead, action, email, error }: AddressPageProps) => (
  <Frame title={error ? `Error: ${title}` : title}>
    <div class="card">
      {error && <ErrorSummary errors={[{ at: 'email', text: error }]} />}
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      <form method="post" action={action} novalidate>
        <Field
          {...{ name: 'email', label: 'E-mail address', type: 'email', value: email, error }}
          autocomplete="username"
          focus={!error}
        />
        <div class="actions">
          <button type="submit">Send the mail</button>
          <a href="/sign-in">Sign in</a>
        </div>
      </form>
    </div>
  </Frame>
);
