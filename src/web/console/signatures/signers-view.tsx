import type { ConsoleSignatureQuery, ConsoleSignerFragment } from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { deliveryText } from '../ui/delivery.ts';
import { Form } from '../ui/fields.tsx';
import { Badge, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import { SIGNER_TEXTS } from './state-text.ts';

interface SignersProps {
  path: string;
  formToken: string;
  session: NonNullable<ConsoleSignatureQuery['signatureSession']>;
  after: string | undefined;
  /** Whether the viewer is an editor of the project. */
  isEditor: boolean;
}

export const SignersView = ({ path, formToken, session, after, isEditor }: SignersProps) => {
  const { nodes, pageInfo } = session.recipients;
  const isActive = session.state === 'ACTIVE';
  return (
    <section class="card" aria-labelledby="signers">
      <h2 id="signers">Signers</h2>
      <Rows count={nodes.length} empty="There is no signer yet.">
        {nodes.map((signer) => {
          const isAsked = isActive && signer.state === 'REQUESTED';
          return <SignerRow {...{ path, formToken, signer, isAsked, mayAsk: isAsked && isEditor }} />;
        })}
      </Rows>
      <Pager path={path} after={after} pageInfo={pageInfo} />
    </section>
  );
};

interface SignerRowProps {
  path: string;
  formToken: string;
  signer: ConsoleSignerFragment;
  /** Whether it is their turn, and whether the viewer may ask them again. */
  isAsked: boolean;
  mayAsk: boolean;
}

const SignerRow = (props: SignerRowProps) => {
  const { signer } = props;
  return (
    <Row
      buttons={
        <>
          <Badge {...SIGNER_TEXTS[signer.state]} />
          {props.mayAsk && <SignerForm {...props} />}
        </>
      }
    >
      <strong id={signer.id}>
        <Name of={signer.fullName} maxLength={80} />
      </strong>{' '}
      <bdi class="who">{shownEmail(signer.email)}</bdi>
      <SignerFacts signer={signer} isAsked={props.isAsked} />
    </Row>
  );
};

const SignerFacts = ({ signer, isAsked }: Pick<SignerRowProps, 'signer' | 'isAsked'>) => (
  <>
    {signer.completedAt && (
      <p>
        Signed <Time at={signer.completedAt} byMinute />
      </p>
    )}
    {signer.declinedReason && <p class="text">Reason: {signer.declinedReason}</p>}
    {signer.requestedAt && (
      <p>
        Asked <Time at={signer.requestedAt} byMinute />
        {signer.delivery && `; the mail: ${deliveryText(signer.delivery).text.toLowerCase()}`}
      </p>
    )}
    {isAsked && <RequestFacts signer={signer} />}
  </>
);

/** What concerns a signer whose turn it is. */
const RequestFacts = ({ signer }: { signer: ConsoleSignerFragment }) => (
  <>
    <p>
      {remindersText(signer.remindersSent)}
      {signer.nextReminderAt && (
        <>
          ; the next one on <Time at={signer.nextReminderAt} />
        </>
      )}
      {signer.linkExpiresAt && (
        <>
          ; the link works until <Time at={signer.linkExpiresAt} />
        </>
      )}
    </p>
    {signer.codeLockedAt && (
      <p>Too many wrong access codes were entered: only a new link takes the code again.</p>
    )}
  </>
);

const remindersText = (count: number): string =>
  count === 0 ? 'No reminder sent' : count === 1 ? '1 reminder sent' : `${count} reminders sent`;

/** Asks a signer again. A reminder is possible only some time after the last mail. */
const SignerForm = ({ path, formToken, signer }: SignerRowProps) => {
  const isRemindable = signer.remindableFrom !== null && Date.parse(signer.remindableFrom) <= Date.now();
  return (
    <Form action={`${path}/signers`} formToken={formToken} class="inline">
      <input type="hidden" name="signer" value={signer.id} />
      {isRemindable && (
        <button type="submit" name="do" value="remind" class="small plain" aria-describedby={signer.id}>
          Remind
        </button>
      )}
      <button type="submit" name="do" value="renew" class="small plain" aria-describedby={signer.id}>
        Send a new link
      </button>
    </Form>
  );
};
