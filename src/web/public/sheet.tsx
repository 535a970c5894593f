/** A mark on a page: a field to fill in, or a value that others have filled in. */
export interface Mark {
  id: string;
  /** Shown until it is filled in. */
  label: string;
  /** The value that others filled in. */
  value?: string;
  /** The id of the input that fills it in. */
  input?: string;
  /** Whether text is shown in a handwriting font. */
  handwritten: boolean;
}

/** Position and size of a mark in percent of its page. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A page as a picture, with its marks. */
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
        <a id={mark.id} class={mark.handwritten ? 'mark handwritten' : 'mark'} href={`#${mark.input}`}>
          <span>{mark.label}</span>
        </a>
      ) : (
        <span id={mark.id} class={mark.handwritten ? 'mark done handwritten' : 'mark done'}>
          <Filled value={mark.value ?? ''} label={mark.label} />
        </span>
      ),
    )}
  </figure>
);

/** A drawn signature is a data URL of a picture; any other value is text. */
const Filled = ({ value, label }: { value: string; label: string }) =>
  /^data:image\/(?:png|jpeg|webp);base64,[\w+/=]+$/.test(value) ? (
    <img src={value} alt={label} />
  ) : (
    <span>{value}</span>
  );

/** CSS that positions the marks, as the CSP forbids style attributes. */
export const positionStyle = (positions: readonly (Rectangle & { id: string })[]): string =>
  positions
    .map(
      ({ id, x, y, width, height }) =>
        `#${id}{left:${percent(x)};top:${percent(y)};width:${percent(width)};height:${percent(height)}}`,
    )
    .join('');

const percent = (number: number): string => `${Math.round(number * 100) / 100}%`;
