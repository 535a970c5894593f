import { expect, it } from 'vitest';
import { mailboxOf } from '../../../src/domain/mails/mailbox.ts';

it.each([
  ['ann@example.test', 'ann@example.test'],
  ['Ann+News+2@Example.TEST', 'ann@example.test'],
  ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
  ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
  ['a.nn@example.test', 'a.nn@example.test'],
  ['+tag@example.test', '+tag@example.test'],
])('the mailbox of %s is %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
