import { badInput } from '../../domain/kernel/errors.ts';
import {
  EnsureSignatureSessionDocument,
  GetSignatureSessionDocument,
  StopSignatureSessionDocument,
  UpdateSignatureSessionDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, requireInProject } from '../wire/path.ts';
import { Members } from '../wire/read.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';
import { documentIn } from './forms.ts';
import { designOf, packageRecord } from './record.ts';

const present = route({
  id: 'getSignatureSessionPackage',
  method: 'GET',
  path: `${PROJECT}/documents/:documentId/signatureSessionPackages`,
  operation: storedOperation(GetSignatureSessionDocument),
  in: (request) => ({ documentId: documentIn(request).documentId }),
  out: ({ document }, request) => {
    const { signatureSession } = requireInProject(document, request, 'Document');
    return signatureSession && packageRecord(signatureSession);
  },
});

const made = route({
  ...present,
  operation: storedOperation(EnsureSignatureSessionDocument),
  in: (request) => ({ input: documentIn(request) }),
  out: ({ ensureSignatureSession: { session } }) => packageRecord(session),
});

/** A document has one session, so the array holds one package. */
function packageIn({ body }: RestRequest): Members {
  const [only, ...others] = body.array();
  if (!only || others.length > 0) throw badInput('The body must be an array of one package.', 'body');
  return only;
}

const sessionIn = (request: RestRequest) => packageIn(request).member('Session') ?? new Members([]);

/** Clients send the empty code back that they were given: it leaves the one there is. */
const optionsOf = (session: Members) => ({
  design: designOf(session.text('FormDesignType')),
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

const recipientOf = (item: Members) => {
  const type = item.text('Type') || 'Signer';
  if (type.toLowerCase() !== 'signer') throw badInput(`Type: ${type} is none of Signer.`, 'Type');
  return {
    id: item.text('ID') || undefined,
    rank: item.integer('Rank'),
    email: item.required('Email'),
    fullName: item.text('FullName') || undefined,
  };
};

const target = (request: RestRequest) => ({
  ...documentIn(request),
  sessionId: sessionIn(request).text('ID') || undefined,
});

const save = route({
  id: 'saveSignatureSessionPackages',
  method: 'PUT',
  path: present.path,
  operation: storedOperation(UpdateSignatureSessionDocument),
  in: (request) => ({
    input: {
      ...target(request),
      ...optionsOf(sessionIn(request)),
      reset: packageIn(request).flag('ResetSession'),
      recipients: packageIn(request).list('Recipients')?.map(recipientOf),
      begin: packageIn(request).flag('BeginSession'),
    },
  }),
  out: ({ updateSignatureSession: { session } }) => [packageRecord(session)],
});

const stop = route({
  ...save,
  operation: storedOperation(StopSignatureSessionDocument),
  in: (request) => ({ input: target(request) }),
  out: ({ stopSignatureSession: { session } }) => [packageRecord(session)],
});

/** The contract has no path to stop a session; its `WasStopped` has the word. */
const stops = (request: RestRequest) =>
  sessionIn(request).flag('WasStopped') &&
  !packageIn(request).flag('ResetSession') &&
  !packageIn(request).flag('BeginSession');

export const signatureSessionRoutes: Route[] = [
  /** Got where it is, so that who only reads can; made where it is not. */
  {
    ...present,
    run: async (request, execute) => (await present.run(request, execute)) ?? made.run(request, execute),
  },
  { ...save, run: (request, execute) => (stops(request) ? stop : save).run(request, execute) },
];
