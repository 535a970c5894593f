import { Frame } from '../ui/layout.tsx';

/** Asks whether mails of a kind are to end: programs follow links in mails too. */
export const StopMails = ({ path }: { path: string }) => (
  <Frame title="Stop mails of this kind">
    <div class="card">
      <h1>Stop mails of this kind?</h1>
      <p>Notifications of this kind stay in your inbox, and are not mailed to you any more.</p>
      <form method="post" action={path}>
        <button type="submit">Stop these mails</button>
      </form>
    </div>
  </Frame>
);
