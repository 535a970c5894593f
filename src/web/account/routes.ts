import { Hono } from 'hono';
import { errorPage } from '../ui/error-page.ts';
import { authenticatorRoutes } from './authenticator-routes.ts';
import { confirmRoutes } from './confirm-routes.ts';
import { emailRoutes } from './email-request.ts';
import { factorRoutes } from './factor-routes.ts';
import { identityRoutes } from './identity-request.ts';
import { accountPage } from './overview.ts';
import { withSession } from './own-session.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { type ErasureOptions, personalDataRoutes } from './personal-data-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

/** `/account`, for who is signed in in this browser: never with an API key or a token of an application. */
export function accountRouter(options: ErasureOptions): Hono {
  const app = new Hono();
  app.get('/account', (call) => withSession(options, call, (session) => accountPage(options, session)));
  for (const addRoutes of [
    passwordRoutes,
    emailRoutes,
    identityRoutes,
    signInRoutes,
    confirmRoutes,
    factorRoutes,
    authenticatorRoutes,
    passkeyRoutes,
  ])
    addRoutes(app, options);
  personalDataRoutes(app, options);
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}
