import { input } from '../shape/input.ts';
import { flag } from '../shape/input-member.ts';

export const followChange = input(
  'SubscriptionInput',
  'Whether the caller follows a document.',
  { subscribed: flag('Subscribed', 'True to follow it, false to end that.') },
  { example: { Subscribed: true } },
);
