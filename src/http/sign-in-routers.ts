import type { Hono } from 'hono';
import { oidcRouter } from '../web/oidc/routes.ts';
import { signInRouter } from '../web/sign-in/routes.ts';
import { signUpRouter } from '../web/sign-up/routes.ts';
import { pageOptions } from './routers.ts';
import type { Services } from './services.ts';

/** `/sign-in`, `/sign-up` and, with an identity provider, `/sign-in/oidc`. */
export function signInRouters(services: Services): Hono[] {
  const { db, config, storage, codeRateLimiter, dailyCodeRateLimiter, accountRateLimiter, log } = services;
  const { limits, publicUrl, signUp, oidc, mail } = config;
  const rateLimiter = services.signInRateLimiter;
  const signIns = {
    db,
    limits,
    publicUrl,
    rateLimiter,
    vault: storage.vault,
    codeRateLimiter,
    dailyCodeRateLimiter,
  };
  const options = { ...pageOptions(services), signIns };
  const rules = { createsAccounts: signUp !== 'off', sendsMail: mail.target === 'SMTP' };
  const routers = [
    signInRouter({ ...options, providerName: oidc?.name, offersSignUp: signUp === 'open' }),
    signUpRouter({
      ...options,
      ...rules,
      storage,
      accounts: services.accounts,
      isOpen: signUp === 'open',
      rateLimiter: accountRateLimiter,
    }),
  ];
  if (!oidc || !services.provider) return routers;
  const { provider, oidcCookie } = services;
  const warn = (reason: string, requestId: string) =>
    log.warn({ reason, requestId }, 'an answer of the identity provider was refused');
  return [
    ...routers,
    oidcRouter({
      ...options,
      ...rules,
      rules: oidc,
      provider,
      oidcCookie,
      rateLimiter: accountRateLimiter,
      warn,
    }),
  ];
}
