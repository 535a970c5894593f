import type { OwnErasure } from '../../../domain/own-account/erasure.ts';
import type { ErasureItem, ErasurePlan } from '../../../domain/personal-data/erasure-plan.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Field } from '../../ui/field.tsx';
import { Frame } from '../../ui/layout.tsx';
import { SiteHeader } from '../../ui/site-header.tsx';
import { KIND_NAMES } from './erasure-kinds.ts';

/** The part of `/account` that leads to an export of all data, and to the end of the account. */
export const PersonalDataSection = () => (
  <div class="card" id="your-data">
    <h2>Your data</h2>
    <p>
      <a href="/account/data.jsonl">Download all data about you</a>: one record on each line (JSON Lines),
      without secrets.
    </p>
    <p>
      <a href="/account/erase">Erase the account</a>: you see first what is removed, and what stays and why.
    </p>
  </div>
);

const TITLES = { REMOVED: 'Is removed', REPLACED: 'Is replaced', KEPT: 'Stays' } as const;

const Items = ({ items, remarks }: { items: readonly ErasureItem[]; remarks: readonly string[] }) => (
  <>
    {(Object.keys(TITLES) as (keyof typeof TITLES)[]).map((effect) => {
      const listed = items.filter((item) => item.effect === effect);
      return listed.length === 0 ? null : (
        <>
          <h2>{TITLES[effect]}</h2>
          <ul>
            {listed.map(({ kind, count, reason }) => (
              <li>
                {KIND_NAMES[kind]}: {count}
                {reason && `. ${reason}`}
              </li>
            ))}
          </ul>
        </>
      );
    })}
    <h2>In any case</h2>
    <ul>
      {remarks.map((remark) => (
        <li>{remark}</li>
      ))}
    </ul>
  </>
);

interface EraseProps {
  name: string;
  email: string;
  plan: ErasurePlan;
  formToken: string;
  error?: string;
}

const Obstacles = ({ obstacles }: Pick<ErasurePlan, 'obstacles'>) =>
  obstacles.length === 0 ? null : (
    <div class="note">
      <p>
        Not yet possible: you are the only owner of{' '}
        {obstacles.map(({ organizationId, name }, index) => (
          <>
            {index > 0 && ', '}
            <a href={`/console/${organizationId}/people`}>
              <bdi>{name}</bdi>
            </a>
          </>
        ))}
        . Appoint another owner first.
      </p>
    </div>
  );

/** `/account/erase`: what the erasure would do, and the form that does it. */
export const ErasePage = ({ name, email, plan, formToken, error }: EraseProps) => (
  <Frame
    title={error ? 'Error: Erase the account' : 'Erase the account'}
    header={<SiteHeader current="/account" viewerName={name} />}
  >
    <div class="card">
      {error && <ErrorSummary errors={[{ at: 'email', text: error }]} />}
      <h1>Erase the account</h1>
      <p class="lead">This cannot be undone. You are signed out everywhere at once.</p>
      <Obstacles obstacles={plan.obstacles} />
      <Items items={plan.items} remarks={plan.remarks} />
      {plan.obstacles.length === 0 && (
        <form method="post" action="/account/erase" novalidate>
          <input type="hidden" name="form_token" value={formToken} />
          <p class="who">
            To confirm it, type your address: <bdi>{shownEmail(email)}</bdi>
          </p>
          <Field name="email" label="Your address" type="email" autocomplete="off" error={error} />
          <div class="actions">
            <button type="submit" class="danger">
              Erase the account for good
            </button>
          </div>
        </form>
      )}
    </div>
  </Frame>
);

/** The answer to that form. */
export const ErasedPage = ({ report }: { report: OwnErasure }) => (
  <Frame title="The account was erased">
    <div class="card">
      <h1>The account was erased</h1>
      <p class="lead">A mail to your former address says so, too. It is the last one.</p>
      {!report.isFinished && <p>What is left of it is removed in the background, within an hour or so.</p>}
      <Items items={report.items} remarks={report.remarks} />
    </div>
  </Frame>
);
