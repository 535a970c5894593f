import { z } from 'zod';
import { asciiDomain } from '../lib/text/email-address.ts';

/** Host names separated by commas; in ASCII, as addresses are stored. */
const domains = z
  .string()
  .transform((text) => text.split(',').map((each) => asciiDomain(each.trim()) ?? ''))
  .refine((names) => names.every((name) => name.includes('.')), {
    error: 'must be domains such as example.com,example.org',
  });

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** An issuer is reached over https (OpenID Connect Discovery 1.0 §3); on this machine, http does for a trial. */
const issuer = z.string().refine(
  (text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname, search, hash } = new URL(text);
    return (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) && !search && !hash;
  },
  { error: 'must be a URL such as https://login.example.com' },
);

const flag = z.enum(['true', 'false']).default('false');

/** Who gets an account, and the identity provider with which people sign in. */
export const signInVariables = z
  .object({
    SIGN_UP: z.enum(['invited', 'open', 'off']).default('invited'),
    OIDC_ISSUER: issuer.optional(),
    OIDC_CLIENT_ID: z.string().min(1).optional(),
    OIDC_CLIENT_SECRET: z.string().min(1).optional(),
    OIDC_NAME: z.string().trim().min(1).max(40).optional(),
    OIDC_DOMAINS: domains.optional(),
    OIDC_TRUST_EMAIL: flag,
    OIDC_SIGN_UP: z.enum(['invited', 'open']).default('invited'),
    OIDC_SECOND_FACTOR: z.enum(['local', 'provider']).default('local'),
  })
  .superRefine((env, context) => {
    const report = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (env.OIDC_ISSUER && !env.OIDC_CLIENT_ID) report('OIDC_CLIENT_ID', 'must be set with OIDC_ISSUER');
    if (!env.OIDC_ISSUER && (env.OIDC_CLIENT_ID || env.OIDC_CLIENT_SECRET))
      report('OIDC_ISSUER', 'must be set with OIDC_CLIENT_ID');
  });

type SignInEnvironment = z.output<typeof signInVariables>;

/** The identity provider; undefined without one. */
export function oidcSettings(env: SignInEnvironment) {
  const { OIDC_ISSUER, OIDC_CLIENT_ID } = env;
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID) return undefined;
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: env.OIDC_CLIENT_SECRET,
    name: env.OIDC_NAME ?? new URL(OIDC_ISSUER).hostname,
    /** Of the addresses that may sign in; undefined for any. */
    domains: env.OIDC_DOMAINS,
    trustsEmail: env.OIDC_TRUST_EMAIL === 'true',
    signUp: env.OIDC_SIGN_UP,
    asksSecondFactor: env.OIDC_SECOND_FACTOR === 'local',
  };
}
