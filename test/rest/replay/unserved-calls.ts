import { type Call, notServed } from './call.ts';

const email = () => ({ BrowserFingerprint: 'x', Email: 'a@example.test', UserProvider: 'email' });

/** What published clients call and the server does not serve, with the reason that docs/rest.md gives. */
export const UNSERVED_CALLS: Call[] = [
  ...notServed(
    'Billing of the former vendor',
    `GET @/subscriptions
    GET @/subscriptions/plans
    GET @/subscriptions/invoices`,
  ),
  ...notServed('Billing of the former vendor', 'PUT @/subscriptions', () => ({ Name: 'Harbour Works' })),
  ...notServed('No text messages are sent', 'POST /user/emailLoginOTPSend', email),
  ...notServed('No text messages are sent', 'POST /user/emailLoginVerify', email),
  ...notServed('No text messages are sent', 'POST /user/smsNumbers', () => ({ SMSNumber: '+4670' })),
  ...notServed(
    'No text messages are sent',
    `DELETE /user/smsNumbers
    PUT /user/smsNumbers/123456`,
  ),
  ...notServed('A browser signs in on the sign-in page', 'POST /user/login', email),
  ...notServed('A browser signs in on the sign-in page', 'GET /user/logout'),
  ...notServed('does not change over REST v1', 'POST /user/emailAddresses', email),
  ...notServed('does not change over REST v1', 'PUT /user/emailAddresses/123456', () => ({})),
  ...notServed('does not change over REST v1', 'POST /user/emailAddressVerifications', email),
  ...notServed(
    'Support of the former vendor',
    `GET /support/users
    GET /support/organizations
    GET /support/errorEvents?sortDescending=true`,
  ),
  ...notServed(
    'An earlier layout of the same API',
    `GET /folderHierarchies
    GET /folderHierarchies/x
    GET /folderHierarchies/x/items
    GET /folderHierarchies/x/items/y
    GET /classifications
    GET /classificationFields/x
    GET /documentFields
    GET /dashboardWidgets
    GET /organizationInvitations/x
    GET /inboxCounts`,
  ),
];
