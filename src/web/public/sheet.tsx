/** A place on a page: of a field to be filled in, or of what others have. */
export interface Mark {
  id: string;
  /** What stands in it until it is filled in. */
  label: string;
  /** What others filled in. */
  value?: string;
  /** The input that it is filled in by. */
  input?: string;
  written: boolean;
}

/** Where a mark is: in percent of its page. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One page as a picture, with what is to be filled in on it. */
export const Sheet = ({
  base,
  number,
  of,
  marks,
}: {
  base: string;
  number: number;
  of: number;
  marks: readonly Mark[];
}) => (
  <figure class="sheet" id={`page-${number}`}>
    <img
      src={`${base}/pages/${number}?width=900`}
      srcset={`${base}/pages/${number}?width=900 900w, ${base}/pages/${number}?width=1600 1600w`}
      sizes="(min-width: 64rem) 46rem, 100vw"
      alt={`Page ${number} of ${of}`}
      loading={number > 2 ? 'lazy' : undefined}
      decoding="async"
    />
    {marks.map((mark) =>
      mark.input ? (
        <a id={mark.id} class={mark.written ? 'mark written' : 'mark'} href={`#${mark.input}`}>
          <span>{mark.label}</span>
        </a>
      ) : (
        <span id={mark.id} class={mark.written ? 'mark done written' : 'mark done'}>
          <Filled value={mark.value ?? ''} label={mark.label} />
        </span>
      ),
    )}
  </figure>
);

/** A drawn signature is a picture in a data URL; any other value is text. */
export const Filled = ({ value, label }: { value: string; label: string }) =>
  /^data:image\/(?:png|jpeg|webp);base64,[\w+/=]+$/.test(value) ? (
    <img src={value} alt={label} />
  ) : (
    <span>{value}</span>
  );

/** The style that puts marks in their places, which no attribute may under the policy. */
export const placesStyle = (places: readonly (Place & { id: string })[]): string =>
  places
    .map(
      ({ id, x, y, width, height }) =>
        `#${id}{left:${percent(x)};top:${percent(y)};width:${percent(width)};height:${percent(height)}}`,
    )
    .join('');

const percent = (number: number): string => `${Math.round(number * 100) / 100}%`;
