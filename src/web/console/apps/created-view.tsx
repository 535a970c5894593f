import type { ConsoleAppFragment } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Copied } from '../ui/parts.tsx';

interface CreatedAppViewProps {
  client: ConsoleAppFragment;
  secret: string | null;
  appsPath: string;
}

/** A new application, with the secret that is shown only here. */
export const CreatedAppView = ({ client, secret, appsPath }: CreatedAppViewProps) => (
  <section class="card" aria-label="Credentials">
    <p>
      <Name of={client.name} maxLength={80} /> is registered.
    </p>
    <h2>client_id</h2>
    <Copied id="client_id" text={client.id} />
    {secret && <NewSecret secret={secret} />}
    <a class="button plain" href={`${appsPath}/${client.id}`}>
      {secret ? 'I have stored the secret' : 'Continue'}
    </a>
  </section>
);

export const NewSecret = ({ secret }: { secret: string }) => (
  <>
    <h2>client_secret</h2>
    <p>Store it in a safe place now: it is not shown again.</p>
    <Copied id="secret" text={secret} />
  </>
);
