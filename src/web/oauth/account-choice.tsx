import { shownEmail } from '../../lib/text/shown-email.ts';
import { Name } from '../ui/name.tsx';
import { MAX_NAME_LENGTH } from './applicant.tsx';

interface AccountChoiceProps {
  account: { name: string; email: string };
  /** The sign-in page of another account, which leads back here. */
  switchHref: string;
}

/** The account that is about to be used, and the way to another one. */
export const AccountChoice = ({ account, switchHref }: AccountChoiceProps) => (
  <section class="using" aria-label="Your account">
    <p class="who">
      <Name of={account.name} maxLength={MAX_NAME_LENGTH} />
      <span class="address">{shownEmail(account.email)}</span>
    </p>
    <a href={switchHref}>Use another account</a>
  </section>
);
