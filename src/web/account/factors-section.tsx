import { hasSecondFactor, type SecondFactors } from '../../domain/accounts/second-factors.ts';
import { Name } from '../ui/name.tsx';

/** On `/account`: which second factors there are. They are changed on a page of their own. */
export const FactorsSection = ({
  factors,
  closed,
}: {
  factors: SecondFactors;
  closed: readonly string[];
}) => (
  <div class="card">
    <h2>Second factor</h2>
    {closed.length > 0 && (
      <div class="note alarm">
        <p>You cannot use these organizations until you add a second factor, which they require:</p>
        <ul>
          {closed.map((name) => (
            <li>
              <Name of={name} />
            </li>
          ))}
        </ul>
      </div>
    )}
    {hasSecondFactor(factors) ? (
      <ul>
        {factors.hasAuthenticatorApp && <li>Authenticator app</li>}
        {factors.passkeys > 0 && (
          <li>{factors.passkeys === 1 ? 'One passkey' : `${factors.passkeys} passkeys`}</li>
        )}
        <li>{recoveryCodesText(factors)}</li>
      </ul>
    ) : (
      <p>Your password alone opens your account. With a second factor, a stolen password is not enough.</p>
    )}
    <a class="button plain" href="/account/second-factors">
      {hasSecondFactor(factors) ? 'Change' : 'Add a second factor'}
    </a>
  </div>
);

export const recoveryCodesText = ({ recoveryCodes }: SecondFactors): string =>
  recoveryCodes === 1 ? 'One recovery code is left' : `${recoveryCodes || 'No'} recovery codes are left`;
