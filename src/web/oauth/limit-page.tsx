import { Frame } from '../ui/layout.tsx';
import { Name, shownName } from '../ui/name.tsx';
import { SiteHeader } from '../ui/site-header.tsx';
import { LimitFields, type LimitFieldsProps } from './limit-fields.tsx';

export interface LimitPageProps {
  account: { name: string };
  client: { id: string; name: string };
  limit: Omit<LimitFieldsProps, 'form'>;
  formToken: string;
  /** Why the form was not accepted. */
  problem: string | undefined;
}

const FORM = 'limit';

/** Where one application may act. */
export const LimitPage = ({ account, client, limit, formToken, problem }: LimitPageProps) => (
  <Frame
    title={`Where ${shownName(client.name)} may act`}
    header={<SiteHeader current="/oauth/apps" viewerName={account.name} />}
  >
    <div class="card">
      <h1>
        Where <Name of={client.name} /> may act
      </h1>
      <p class="lead">A change applies at once to all that the application already has.</p>
      {problem && (
        <div class="note alarm" role="alert">
          <p>{problem}</p>
        </div>
      )}
      <form id={FORM} method="post" action="/oauth/apps/limit">
        <input type="hidden" name="client_id" value={client.id} />
        <input type="hidden" name="form_token" value={formToken} />
        <LimitFields {...limit} form={FORM} />
        <div class="actions">
          <button type="submit">Save</button>
        </div>
      </form>
      <p class="after">
        <a href="/oauth/apps">Back to applications</a>
      </p>
    </div>
  </Frame>
);
