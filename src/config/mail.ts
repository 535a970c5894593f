import { resolve } from 'node:path';
import { z } from 'zod';
import { parseEmailAddress } from '../lib/text/email-address.ts';
import { count, whole } from './fields.ts';

/** A name and an address, or an address alone, such as `Docgraph <docs@example.com>`. */
const mailbox = z
  .string()
  .transform((text) => {
    const [, name = '', bracketed] = /^\s*(?:"?([^"<>]*?)"?\s*)?<([^<>\s]+)>\s*$/.exec(text) ?? [];
    const parsed = parseEmailAddress(bracketed ?? text);
    const address = typeof parsed === 'string' ? '' : `${parsed.local}@${parsed.domain}`;
    return { name: bracketed ? name.trim() : '', address };
  })
  .refine(({ address, name }) => address !== '' && !/\p{Cc}/u.test(name), {
    error: 'must be an address such as docs@example.com, or Docgraph <docs@example.com>',
  });

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const smtpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol), {
    error: 'must be a URL such as smtp://user:password@mail.example.com:587, or smtps://…:465',
    abort: true,
  })
  .transform((text) => {
    const { protocol, hostname, port, username, password } = new URL(text);
    const secure = protocol === 'smtps:';
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port ? Number(port) : secure ? 465 : 587,
      secure,
      credentials: username
        ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
        : undefined,
      isLoopback: LOOPBACK.test(hostname),
    };
  });

/** The settings of mail. Without SMTP_URL nothing is sent. */
export const mailVariables = z
  .object({
    SMTP_URL: smtpUrl.optional(),
    SMTP_TLS: z.enum(['required', 'off']).default('required'),
    SMTP_CA: z.string().optional(),
    MAIL_FROM: mailbox.optional(),
    MAIL_OUTBOX: z.enum(['on', 'off']).optional(),
    MAIL_PER_SECOND: count(0, 0),
    MAIL_PER_HOUR_ADDRESS: count(20, 0),
    MAIL_PER_HOUR_ORGANIZATION: count(1_000, 0),
    MAIL_PER_HOUR_PERSON: count(400, 0),
    MAIL_START_PERCENT: whole(1, 100).default(10),
    DKIM_DOMAIN: z.string().min(1).optional(),
    DKIM_SELECTOR: z.string().min(1).optional(),
    DKIM_KEY: z.string().min(1).optional(),
    PUBLIC_URL: z.string().optional(),
  })
  .superRefine((env, context) => {
    const report = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (env.SMTP_URL && !env.MAIL_FROM) report('MAIL_FROM', 'must be set with SMTP_URL');
    if (env.SMTP_URL && !env.PUBLIC_URL)
      report('PUBLIC_URL', 'must be set with SMTP_URL: the links in mails begin with it');
    if (env.SMTP_TLS === 'off' && env.SMTP_URL?.credentials && !env.SMTP_URL.isLoopback)
      report('SMTP_TLS', 'must not be off with a password, except for a server on this machine');
    if (env.SMTP_URL && env.MAIL_OUTBOX === 'on') report('MAIL_OUTBOX', 'must not be on with SMTP_URL');
    const dkim = [env.DKIM_DOMAIN, env.DKIM_SELECTOR, env.DKIM_KEY].filter((each) => each);
    if (dkim.length % 3 > 0) report('DKIM_KEY', 'is set together with DKIM_SELECTOR and DKIM_DOMAIN');
  });

type MailEnvironment = z.output<typeof mailVariables> & { DATABASE_URL?: string };

/** Where mails go; files as absolute paths. */
export function mailSettings(env: MailEnvironment) {
  const { SMTP_URL: smtp, MAIL_FROM, MAIL_OUTBOX = env.DATABASE_URL ? 'off' : 'on' } = env;
  const sender = {
    name: MAIL_FROM?.name || 'Docgraph',
    address: MAIL_FROM?.address ?? 'docgraph@localhost.invalid',
    dkim: dkimOf(env),
  };
  if (!smtp) return { target: MAIL_OUTBOX === 'on' ? ('OUTBOX' as const) : ('NONE' as const), sender };
  const { isLoopback: _, ...server } = smtp;
  return {
    target: 'SMTP' as const,
    sender,
    server: { ...server, requireTls: env.SMTP_TLS === 'required' },
    caFile: env.SMTP_CA && resolve(env.SMTP_CA),
    perSecond: env.MAIL_PER_SECOND,
  };
}

const dkimOf = ({ DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_KEY: file }: MailEnvironment) =>
  domain && selector && file ? { domain, selector, keyFile: resolve(file) } : undefined;
