import { withoutHidden } from '../../lib/text/hidden-text.js';
import { describedBy, FieldErrorText } from '../ui/error-summary.tsx';

export interface SigningFieldProps {
  /** The id of the input, to which the marks on the pages link. */
  id: string;
  /** The field's id, which the names of its inputs contain. */
  fieldId: string;
  kind: 'signature' | 'text' | 'lines' | 'email' | 'date';
  label: string;
  required: boolean;
  /** Its page (from 1), if shown. */
  page?: number;
  mark?: string;
  value: string;
  /** The drawing (a data URL) that was submitted before an error. */
  drawn?: string;
  autocomplete?: string;
  error?: string;
}

/** One field to fill in. */
export const SigningField = (props: SigningFieldProps) =>
  props.kind === 'signature' ? <SignatureInput {...props} /> : <Line {...props} />;

const Line = (props: SigningFieldProps) => {
  const { id, fieldId, kind, error, value } = props;
  const common = {
    id,
    name: `field.${fieldId}`,
    required: props.required,
    'data-mark': props.mark,
    ...describedBy(id, { error: error !== undefined }),
  };
  return (
    <div class="field">
      <Caption {...props} />
      <FieldErrorText id={id} text={error} />
      {kind === 'lines' ? (
        <textarea {...common} rows={3}>
          {value}
        </textarea>
      ) : (
        <input {...common} type={kind} value={value} autocomplete={props.autocomplete} />
      )}
    </div>
  );
};

const Caption = ({ id, label, required, page }: SigningFieldProps) => (
  <div class="caption">
    <label for={id}>
      <bdi>{withoutHidden(label)}</bdi> {!required && <span class="optional">(optional)</span>}
    </label>
    {page && (
      <a class="to-page" href={`#page-${page}`} aria-label={`${label}: to page ${page}`}>
        Page {page}
      </a>
    )}
  </div>
);

/**
 * A signature or initials: typed, or drawn if the script runs, which shows the elements that are hidden here. A drawing
 * is used only if the mode is `draw`.
 */
const SignatureInput = (props: SigningFieldProps) => {
  const { id, fieldId, label, error, value, drawn, required } = props;
  return (
    <fieldset class="field" data-mark={props.mark} data-signature={id}>
      <legend class="visually-hidden">{withoutHidden(label)}</legend>
      <Caption {...props} />
      <FieldErrorText id={id} text={error} />
      <div class="modes" hidden>
        <label>
          <input type="radio" name={`mode.${fieldId}`} value="draw" checked={drawn ? true : undefined} />
          <span>Draw</span>
        </label>
        <label>
          <input type="radio" name={`mode.${fieldId}`} value="type" />
          <span>Type</span>
        </label>
      </div>
      <div class="pad" hidden>
        <canvas aria-label={`${label}: draw here with a finger, pen or mouse`} role="img" />
        <button type="button" class="clear">
          Clear
        </button>
      </div>
      <input type="hidden" name={`drawn.${fieldId}`} value={drawn ?? ''} />
      <input
        id={id}
        class="typed"
        name={`field.${fieldId}`}
        value={value}
        required={required}
        autocomplete={props.autocomplete}
        placeholder="Type your name"
        {...describedBy(id, { error: error !== undefined })}
      />
    </fieldset>
  );
};
