import type { MailState } from '../../../generated/operations/graphql.ts';

interface DeliveryText {
  text: string;
  tone?: 'good' | 'bad';
}

const STATES: Record<MailState, DeliveryText> = {
  WAITING: { text: 'Waits for the mail server' },
  SENDING: { text: 'Being sent' },
  SENT: { text: 'Accepted by the mail server', tone: 'good' },
  UNCERTAIN: { text: 'May have arrived', tone: 'bad' },
  REFUSED: { text: 'Refused by the mail server', tone: 'bad' },
  GIVEN_UP: { text: 'Not delivered', tone: 'bad' },
  CANCELLED: { text: 'Not sent', tone: 'bad' },
  OUTBOX: { text: 'Kept in the outbox: there is no mail server' },
  NOT_CONFIGURED: { text: 'Not sent: there is no mail server', tone: 'bad' },
};

/** What became of a mail, for people. */
export const deliveryText = (delivery: { state: MailState } | null): DeliveryText =>
  delivery ? STATES[delivery.state] : { text: 'No mail is known' };
