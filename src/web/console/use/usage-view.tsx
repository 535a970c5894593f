import type { ConsoleUsageFragment } from '../../../generated/operations/graphql.ts';
import { DAY } from '../../../lib/time.ts';
import { numberText, timesText } from '../ui/numbers.ts';
import { Facts, Row, Rows, Time } from '../ui/parts.tsx';

/** The requests of one API key or application. */
export const UsageView = ({ usage }: { usage: ConsoleUsageFragment }) => (
  <>
    <p class="lead">
      Requests to GraphQL and REST v1 in the last 30 days, by days in UTC. A request is counted within a
      minute.
    </p>
    <section class="card" aria-label="Together">
      <Facts
        facts={[
          ['Requests', numberText(usage.requests)],
          ['Refused or failed', numberText(usage.errors)],
          ['Points', numberText(usage.points)],
          ['95 % answered within', durationText(usage.p95Milliseconds)],
        ]}
      />
    </section>
    <Days days={usage.days} />
    <section class="card" aria-labelledby="errors">
      <h2 id="errors">Why requests were refused or failed</h2>
      <Rows count={usage.errorCodes.length} empty="None was.">
        {usage.errorCodes.map(({ code, count, lastAt }) => (
          <Row>
            <code>{code}</code>
            <p>
              {timesText(count)}, last on <Time at={lastAt} byMinute />
            </p>
          </Row>
        ))}
      </Rows>
      <p>
        <a href="/docs/errors">What each code means</a>
      </p>
    </section>
    <section class="card" aria-labelledby="deprecated">
      <h2 id="deprecated">Deprecated, and still used</h2>
      <Rows count={usage.deprecated.length} empty="Nothing deprecated was used.">
        {usage.deprecated.map((use) => (
          <Row>
            <code>{use.name}</code>
            <p>
              {timesText(use.count)}, last on <Time at={use.lastAt} byMinute />. {adviceText(use)}
            </p>
          </Row>
        ))}
      </Rows>
    </section>
  </>
);

export const durationText = (ms: number | null): string => (ms === null ? '–' : `${numberText(ms)} ms`);

/** What to do about something that is deprecated. */
export const adviceText = ({
  instead,
  removal,
}: {
  instead: string | null;
  removal: string | null;
}): string =>
  instead === null
    ? 'It is not there any more.'
    : `Use ${instead} instead: ${removal ? `it is removed on ${removal}` : 'no removal is planned'}.`;

const CHART_HEIGHT = 80;
const BAR = 10;
const DAYS = 30;

/** A bar for each day with requests, and the numbers in a table. */
const Days = ({ days }: { days: ConsoleUsageFragment['days'] }) =>
  days.length === 0 ? null : (
    <section class="card" aria-labelledby="days">
      <h2 id="days">By day</h2>
      <Bars days={days} />
      <section class="scroll" tabindex={0} aria-label="Numbers by day">
        <table>
          <thead>
            <tr>
              {['Day', 'Requests', 'Errors', 'Points', '95 % within'].map((title) => (
                <th scope="col">{title}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, requests, errors, points, p95Milliseconds }) => (
              <tr>
                <th scope="row">
                  <Time at={day} />
                </th>
                <td>{numberText(requests)}</td>
                <td>{numberText(errors)}</td>
                <td>{numberText(points)}</td>
                <td>{durationText(p95Milliseconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );

const daysAgo = (day: string): number => Math.floor((Date.now() - Date.parse(day)) / DAY);

/** The table has the same numbers. */
const Bars = ({ days }: { days: ConsoleUsageFragment['days'] }) => {
  const most = Math.max(...days.map(({ requests }) => requests));
  const height = (count: number) => Math.max((count / most) * CHART_HEIGHT, count > 0 ? 1 : 0);
  const bar = (className: string, day: string, count: number) => (
    <rect
      class={className}
      x={(DAYS - 1 - daysAgo(day)) * BAR + 1}
      y={CHART_HEIGHT - height(count)}
      width={BAR - 2}
      height={height(count)}
    />
  );
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${DAYS * BAR} ${CHART_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {days.map(({ day, requests, errors }) => (
        <>
          {bar('all', day, requests)}
          {bar('errors', day, errors)}
        </>
      ))}
    </svg>
  );
};
