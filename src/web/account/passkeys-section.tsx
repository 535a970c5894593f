import { MAX_PASSKEYS, type PasskeyRow } from '../../domain/accounts/passkey.ts';
import { PasskeyForm } from '../passkeys/passkey-form.tsx';
import { Name } from '../ui/name.tsx';

interface PasskeysSectionProps {
  passkeys: readonly PasskeyRow[];
  formToken: string;
  /** The host whose passkeys work here. */
  relyingPartyId: string;
}

/** The passkeys of an account, and a form that adds one. */
export const PasskeysSection = ({ passkeys, formToken, relyingPartyId }: PasskeysSectionProps) => (
  <div class="card">
    <h2>Passkeys</h2>
    <p>
      A passkey on your phone, computer or security key signs you in with your fingerprint, face or PIN:
      instead of the password, or after it.
    </p>
    {passkeys.map((each) => (
      <PasskeyEntry {...{ formToken, relyingPartyId }} passkey={each} />
    ))}
    {passkeys.length < MAX_PASSKEYS && (
      <PasskeyForm
        kind="create"
        action="/account/passkeys"
        options="/account/passkeys/options"
        hidden={{ form_token: formToken }}
        label="Add a passkey"
      >
        <NameField
          id="new-name"
          label="Name of the passkey"
          value={passkeys.length === 0 ? 'My device' : `Device ${passkeys.length + 1}`}
        />
      </PasskeyForm>
    )}
  </div>
);

const NameField = ({ id, label, value }: { id: string; label: string; value: string }) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input id={id} name="name" type="text" autocomplete="off" value={value} maxlength={60} required />
  </div>
);

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const PasskeyEntry = ({
  passkey: { id, name, relyingPartyId: host, createdAt, lastUsedAt },
  formToken,
  relyingPartyId,
}: {
  passkey: PasskeyRow;
  formToken: string;
  relyingPartyId: string;
}) => (
  <div class="entry">
    <p>
      <strong>
        <Name of={name} />
      </strong>
      <br />
      Added {dayOf(createdAt)}, {lastUsedAt ? `last used ${dayOf(lastUsedAt)}` : 'not used yet'}
      {host !== relyingPartyId && <> – works at {host} only</>}
    </p>
    <details class="other">
      <summary>
        Rename or remove<span class="unseen"> {name}</span>
      </summary>
      <form method="post" action="/account/passkeys/rename">
        <input type="hidden" name="form_token" value={formToken} />
        <input type="hidden" name="passkey" value={id} />
        <NameField id={`name-${id}`} label="New name" value={name} />
        <button type="submit" class="plain">
          Rename
        </button>
      </form>
      <form method="post" action="/account/passkeys/remove">
        <input type="hidden" name="form_token" value={formToken} />
        <button type="submit" class="plain" name="passkey" value={id}>
          Remove this passkey
        </button>
      </form>
    </details>
  </div>
);
