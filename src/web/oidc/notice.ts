import { Message } from '../ui/message.tsx';
import { page } from '../ui/page.ts';

/** A page that says why a sign-in at the identity provider did not succeed, or what happens next. */
export const notice = (title: string, text: string, status = 200, cookie?: string): Response =>
  page(Message({ title, text, link: { href: '/sign-in', text: 'Go to the sign-in page' } }), {
    status,
    headers: cookie ? { 'Set-Cookie': cookie } : {},
  });
