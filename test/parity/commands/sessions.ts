import fc from 'fast-check';
import { type AnyCommand, command, maybe, name, ref } from '../command.ts';
import type { Role, Selection } from '../twin.ts';

/** A GET that creates what is missing (contract, "Signatures"); readers get what exists. */
export const opening = (mutation: string, row: string, member: string) =>
  command<Selection>({
    mutation,
    row,
    sample: 0,
    args: ref,
    unless: (document, at) => ({
      query: `query ($id: ID!) { document(id: $id) { organizationId project { id } there: ${member} { id } } }`,
      variables: { id: at.id('Document', document) },
    }),
    graph: (document, at) => ({ documentId: at.id('Document', document) }),
    rest: (document, at) => ({ path: { documentId: at.id('Document', document) } }),
  });

interface Session {
  document: Selection;
  signers?: { who: Role; rank?: number }[];
  begin?: boolean;
  reset?: boolean;
  subject?: string;
}

const signer = fc.constantFrom<Role>('owner', 'member', 'guest');
const oneToTwo = fc.array(fc.record({ who: signer, rank: maybe(fc.constantFrom(1, 2)) }), {
  minLength: 1,
  maxLength: 2,
});

export const save: AnyCommand = command<Session>({
  mutation: 'updateSignatureSession',
  row: 'saveSignatureSessionPackages',
  weight: 6,
  sample: { document: 0, signers: [{ who: 'owner', rank: 1 }], subject: 'Please' },
  args: fc.record({
    document: ref,
    signers: maybe(oneToTwo),
    begin: maybe(fc.boolean()),
    reset: maybe(fc.constantFrom(false, false, true)),
    subject: maybe(name),
  }),
  graph: ({ document, signers, begin, reset, subject }, at) => ({
    documentId: at.id('Document', document),
    reset,
    begin,
    customSubject: subject,
    recipients: signers?.map((each) => ({
      email: at.email(each.who),
      fullName: `Signer ${each.who}`,
      rank: each.rank,
    })),
  }),
  rest: ({ document, signers, begin, reset, subject }, at) => ({
    path: { documentId: at.id('Document', document) },
    body: [
      {
        Session: { CustomSubject: subject },
        ResetSession: reset,
        BeginSession: begin,
        Recipients: signers?.map((each) => ({
          Email: at.email(each.who),
          FullName: `Signer ${each.who}`,
          Rank: each.rank,
          Type: 'Signer',
        })),
      },
    ],
  }),
});

/** From the draft to the last signature. */
export const sessionCommands: AnyCommand[] = [
  { ...save, weight: 2, sample: { document: 0, begin: true } },
  /** REST has no path to stop: the field WasStopped does it (src/rest/signatures/sessions.ts). */
  command<Selection>({
    mutation: 'stopSignatureSession',
    row: 'saveSignatureSessionPackages',
    weight: 2,
    sample: 0,
    args: ref,
    graph: (document, at) => ({ documentId: at.id('Document', document) }),
    rest: (document, at) => ({
      path: { documentId: at.id('Document', document) },
      body: [{ Session: { WasStopped: true } }],
    }),
  }),
  { ...save, weight: 2, sample: { document: 0, reset: true } },
  { ...save, weight: 0, sample: { document: 0, begin: true } },
  command<{ recipient: Selection; values: { field: Selection; value: string }[] }>({
    mutation: 'signDocument',
    row: 'signDocument',
    weight: 6,
    sample: { recipient: 0, values: [{ field: 2, value: 'Tove Ahlgren' }] },
    args: fc.record({
      recipient: ref,
      values: fc.array(fc.record({ field: ref, value: fc.constantFrom('Tove', 'Tove Ahlgren', '') }), {
        maxLength: 2,
      }),
    }),
    graph: ({ recipient, values }, at) => {
      const recipientId = at.id('SignatureRecipient', recipient);
      return {
        recipientId,
        sessionId: at.of('signature_recipients', recipientId, 'session_id', 'SignatureSession'),
        values: values.map((each) => ({ fieldId: at.id('SignatureField', each.field), value: each.value })),
      };
    },
    rest: ({ recipient, values }, at) => {
      const recipientId = at.id('SignatureRecipient', recipient);
      return {
        path: {
          documentSignatureSessionId: at.of(
            'signature_recipients',
            recipientId,
            'session_id',
            'SignatureSession',
          ),
          documentSignatureSessionRecipientId: recipientId,
        },
        body: values.map((each) => ({ ID: at.id('SignatureField', each.field), Value: each.value })),
      };
    },
  }),
];
