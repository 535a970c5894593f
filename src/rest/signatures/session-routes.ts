import { badInput } from '../../domain/kernel/errors.ts';
import {
  EnsureSignatureSessionDocument,
  GetSignatureSessionDocument,
  StopSignatureSessionDocument,
  UpdateSignatureSessionDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { Members } from '../wire/members.ts';
import { choose, readOrCreate, single } from '../wire/operations.ts';
import { PROJECT, requireInProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import type { Route } from '../wire/route.ts';
import { documentIn } from './document-path.ts';
import { emptyPackageRecord } from './empty-record.ts';
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

/** The body is an array of one package. */
const SESSION_NAMES = {
  sessionId: '0.Session.ID',
  design: '0.Session.FormDesignType',
  useAccessCode: '0.Session.UseAccessCode',
  accessCode: '0.Session.AccessCode',
  useCustomMail: '0.Session.UseCustomSubjectAndBody',
  customSubject: '0.Session.CustomSubject',
  customBody: '0.Session.CustomBody',
  placeInitials: '0.Session.QuickDesignPlaceInitials',
  placeFullName: '0.Session.QuickDesignPlaceFullName',
  placeEmail: '0.Session.QuickDesignPlaceEmail',
  placeTitle: '0.Session.QuickDesignPlaceTitle',
  reset: '0.ResetSession',
  begin: '0.BeginSession',
  recipients: '0.Recipients',
  id: 'ID',
  rank: 'Rank',
  email: 'Email',
  fullName: 'FullName',
};

/** The contract has no path to stop a session: `WasStopped` decides, unless the session is to be reset or begun. */
const stops = (request: RestRequest) =>
  sessionIn(request).flag('WasStopped') &&
  !packageIn(request).flag('ResetSession') &&
  !packageIn(request).flag('BeginSession');

const SESSION_OF_DOCUMENT = {
  operation: storedOperation(GetSignatureSessionDocument),
  in: ({ path }: RestRequest) => ({ documentId: path.documentId as string }),
};

export const signatureSessionRoutes: Route[] = [
  {
    id: 'getSignatureSessionPackage',
    method: 'GET',
    path: PACKAGES,
    operations: readOrCreate(
      single({
        ...SESSION_OF_DOCUMENT,
        out: ({ document }, request) => {
          const { signatureSession } = requireInProject(document, request, 'Document');
          return signatureSession && packageRecord(signatureSession);
        },
      }),
      single({
        operation: storedMutation(EnsureSignatureSessionDocument),
        in: (request) => ({ input: documentIn(request) }),
        out: ({ ensureSignatureSession: { session } }) => packageRecord(session),
      }),
      single({
        ...SESSION_OF_DOCUMENT,
        out: ({ document }, request) => emptyPackageRecord(requireInProject(document, request, 'Document')),
      }),
    ),
  },
  {
    id: 'saveSignatureSessionPackages',
    names: SESSION_NAMES,
    method: 'PUT',
    path: PACKAGES,
    operations: choose((request) => (stops(request) ? 'stop' : 'save'), {
      save: single({
        operation: storedMutation(UpdateSignatureSessionDocument),
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
        operation: storedMutation(StopSignatureSessionDocument),
        in: (request) => ({ input: sessionPath(request) }),
        out: ({ stopSignatureSession: { session } }) => [packageRecord(session)],
      }),
    }),
  },
];
