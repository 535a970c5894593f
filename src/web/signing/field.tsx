import { withoutHidden } from '../../lib/hidden-text.js';
import { describedBy, FieldFault } from '../ui/fault-note.tsx';

export interface SigningFieldProps {
  /** The id of the input, to which the marks on the pages link. */
  id: string;
  /** The field's id, from which the names of its inputs are made. */
  fieldId: string;
  kind: 'ink' | 'text' | 'lines' | 'email' | 'date';
  label: string;
  required: boolean;
  /** Its page (from 1), if shown. */
  page?: number;
  mark?: string;
  value: string;
  /** The drawing (a data URL) that was submitted before a fault. */
  drawn?: string;
  autocomplete?: string;
  fault?: string;
}

/** One field to fill in. */
export const SigningField = (props: SigningFieldProps) =>
  props.kind === 'ink' ? <Ink {...props} /> : <Line {...props} />;

const Line = (props: SigningFieldProps) => {
  const { id, fieldId, kind, fault, value } = props;
  const common = {
    id,
    name: `field.${fieldId}`,
    required: props.required,
    'data-mark': props.mark,
    ...describedBy(id, { fault: fault !== undefined }),
  };
  return (
    <div class="field">
      <Caption {...props} />
      <FieldFault id={id} text={fault} />
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
 * A signature or initials: typed, or drawn where the script runs, which shows what is hidden here. What was drawn
 * counts only as long as drawing is the chosen way.
 */
const Ink = (props: SigningFieldProps) => {
  const { id, fieldId, label, fault, value, drawn, required } = props;
  return (
    <fieldset class="field ink" data-mark={props.mark} data-ink={id}>
      <legend class="visually-hidden">{withoutHidden(label)}</legend>
      <Caption {...props} />
      <FieldFault id={id} text={fault} />
      <div class="ways" hidden>
        <label>
          <input type="radio" name={`way.${fieldId}`} value="draw" checked={drawn ? true : undefined} />
          <span>Draw</span>
        </label>
        <label>
          <input type="radio" name={`way.${fieldId}`} value="type" />
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
        {...describedBy(id, { fault: fault !== undefined })}
      />
    </fieldset>
  );
};
