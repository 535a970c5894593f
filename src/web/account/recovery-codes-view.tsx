import { Frame } from '../ui/layout.tsx';

/** New recovery codes, which are shown only here. */
export const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <Frame title="Your recovery codes">
    <div class="card">
      <h1>Your recovery codes</h1>
      <p class="lead">
        Store them in a safe place: they are not shown again. Each opens your account once, together with your
        password, when you have no other second factor with you.
      </p>
      <ol class="codes">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <a class="button plain" download="docgraph-recovery-codes.txt" href={fileOf(codes)}>
        Save as a file
      </a>
      <div class="actions">
        <a class="button" href="/account">
          I have stored them
        </a>
      </div>
    </div>
  </Frame>
);

const fileOf = (codes: readonly string[]): string =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes of Docgraph\n\n${codes.join('\n')}\n`)}`;
