import type { Child } from 'hono/jsx';
import type { PageInit } from '../ui/page.ts';
import { scriptFile } from '../ui/script-file.ts';

/** The script of pages with such forms. */
export const PASSKEY_SCRIPT = scriptFile(new URL('./script.js', import.meta.url), '/passkeys');

/** What such a page may do beside others: load its script, which asks for options. */
export const PASSKEY_POLICY: PageInit['policy'] = { 'script-src': "'self'", 'connect-src': "'self'" };

interface PasskeyFormProps {
  /** Whether a passkey is created, or an existing one is asked for. */
  kind: 'create' | 'get';
  action: string;
  /** Path that answers the form's fields with options for the browser. */
  options: string;
  hidden?: Record<string, string>;
  label: string;
  plain?: boolean;
  error?: string;
  children?: Child;
}

/** A form whose field `credential` is filled in by a passkey. It is shown by the script, as it does nothing without. */
export const PasskeyForm = ({
  kind,
  action,
  options,
  hidden = {},
  label,
  plain,
  error,
  children,
}: PasskeyFormProps) => (
  <>
    <form method="post" action={action} data-passkey={kind} data-options={options} hidden>
      {Object.entries({ ...hidden, credential: '' }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
      <span class="error" role="alert" hidden={error === undefined}>
        {error}
      </span>
      <button type="submit" class={plain ? 'plain' : undefined}>
        {label}
      </button>
    </form>
    <p class="hint no-passkeys" hidden>
      This browser does not support passkeys.
    </p>
    <noscript>
      <p class="hint">Passkeys need JavaScript in your browser.</p>
    </noscript>
    <script type="module" src={PASSKEY_SCRIPT.path} />
  </>
);
