import { badInput } from '../../domain/kernel/errors.ts';
import {
  EnsureSignatureSessionDocument,
  GetSignatureSessionDocument,
  StopSignatureSessionDocument,
  UpdateSignatureSessionDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { Members } from '../wire/members.ts';
import { choose, readOrCreate, single } from '../wire/operations.ts';
import { PROJECT, requireInProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import type { Route } from '../wire/route.ts';
import { documentIn } from './document-path.ts';
import { DESIGN_TYPES, packageRecord } from './record.ts';

const PACKAGES = `${PROJECT}/documents/:documentId/signatureSessionPackages`;

/** A document has one session, so the array holds one package. */
function packageIn({ body }: RestRequest): Members {
  const [only, ...others] = body.array();
  if (!only || others.length > 0) throw badInput('The body must be an array of one package.', 'body');
  return only;
}

const sessionIn = (request: RestRequest) => packageIn(request).object('Session') ?? new Members([]);

/** Clients send back the empty AccessCode of a reply: it leaves the stored code. */
const optionsOf = (session: Members) => ({
  design: session.term('FormDesignType', DESIGN_TYPES),
  useAccessCode: session.flag('UseAccessCode'),
  accessCode: session.text('AccessCode') || undefined,
  useCustomMail: session.flag('UseCustomSubjectAndBody'),
  customSubject: session.text('CustomSubject'),
  customBody: session.text('CustomBody'),
  placeInitials: session.flag('QuickDesignPlaceInitials'),
  placeFullName: session.flag('QuickDesignPlaceFullName'),
  placeEmail: session.flag('QuickDesignPlaceEmail'),
  placeTitle: session.flag('QuickDesignPlaceTitle'),
});

const RECIPIENT_TYPES = { SIGNER: 'Signer' };

const recipientOf = (item: Members) => {
  item.term('Type', RECIPIENT_TYPES);
  return {
    id: item.text('ID') || undefined,
    rank: item.integer('Rank'),
    email: item.required('Email'),
    fullName: item.text('FullName') || undefined,
  };
};

const sessionPath = (request: RestRequest) => ({
  ...documentIn(request),
  sessionId: sessionIn(request).text('ID') || undefined,
});

/** The contract has no path to stop a session: `WasStopped` decides, unless the session is to be reset or begun. */
const stops = (request: RestRequest) =>
  sessionIn(request).flag('WasStopped') &&
  !packageIn(request).flag('ResetSession') &&
  !packageIn(request).flag('BeginSession');

export const signatureSessionRoutes: Route[] = [
  {
    id: 'getSignatureSessionPackage',
    method: 'GET',
    path: PACKAGES,
    operations: readOrCreate(
      single({
        operation: storedOperation(GetSignatureSessionDocument),
        in: ({ path }) => ({ documentId: path.documentId as string }),
        out: ({ document }, request) => {
          const { signatureSession } = requireInProject(document, request, 'Document');
          return signatureSession && packageRecord(signatureSession);
        },
      }),
      single({
        operation: storedOperation(EnsureSignatureSessionDocument),
        in: (request) => ({ input: documentIn(request) }),
        out: ({ ensureSignatureSession: { session } }) => packageRecord(session),
      }),
    ),
  },
  {
    id: 'saveSignatureSessionPackages',
    method: 'PUT',
    path: PACKAGES,
    operations: choose((request) => (stops(request) ? 'stop' : 'save'), {
      save: single({
        operation: storedOperation(UpdateSignatureSessionDocument),
        in: (request) => ({
          input: {
            ...sessionPath(request),
            ...optionsOf(sessionIn(request)),
            reset: packageIn(request).flag('ResetSession'),
            recipients: packageIn(request).objects('Recipients')?.map(recipientOf),
            begin: packageIn(request).flag('BeginSession'),
          },
        }),
        out: ({ updateSignatureSession: { session } }) => [packageRecord(session)],
      }),
      stop: single({
        operation: storedOperation(StopSignatureSessionDocument),
        in: (request) => ({ input: sessionPath(request) }),
        out: ({ stopSignatureSession: { session } }) => [packageRecord(session)],
      }),
    }),
  },
];
