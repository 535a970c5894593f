import { Name } from '../../ui/name.tsx';

interface NamesProps<Each extends { name: string }> {
  of: readonly Each[];
  maxLength: number;
  /** Where each leads. */
  hrefOf?: (each: Each) => string;
}

/** Names, separated by commas. */
export const Names = <Each extends { name: string }>({ of, maxLength, hrefOf }: NamesProps<Each>) => (
  <>
    {of.map((each, index) => (
      <>
        {index > 0 && ', '}
        {hrefOf ? (
          <a href={hrefOf(each)}>
            <Name of={each.name} maxLength={maxLength} />
          </a>
        ) : (
          <Name of={each.name} maxLength={maxLength} />
        )}
      </>
    ))}
  </>
);
