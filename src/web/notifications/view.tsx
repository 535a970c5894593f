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

/** Asks whether the reminders of one signing request are to end. */
export const StopReminders = ({ path }: { path: string }) => (
  <Frame title="Stop reminders">
    <div class="card">
      <h1>Stop reminders of this document?</h1>
      <p>Your signature stays asked for. You can still sign or decline by the link in the mail.</p>
      <form method="post" action={path}>
        <button type="submit">Stop reminders</button>
      </form>
    </div>
  </Frame>
);
