import { Name } from './name.tsx';

/** Says which organizations a new credential does not reach, as its owner has no second factor; nothing if it reaches all. */
export const ClosedWithoutFactor = ({ names, what }: { names: readonly string[]; what: string }) =>
  names.length > 0 && (
    <section class="note alarm" aria-label="Organizations that require a second factor">
      <p>
        {what} will not reach these organizations until you have{' '}
        <a href="/account/second-factors">added a second factor</a>, which they require:
      </p>
      <ul>
        {names.map((name) => (
          <li class="who">
            <Name of={name} maxLength={50} />
          </li>
        ))}
      </ul>
    </section>
  );
