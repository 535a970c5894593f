export interface FieldError {
  /** The id of the input with the error. */
  at: string;
  text: string;
}

/** Summary of errors before a form. It takes the focus, and each entry links to its field. */
export const ErrorSummary = ({ errors, title }: { errors: readonly FieldError[]; title?: string }) => (
  <div class="note alarm" role="alert" tabindex={-1} autofocus aria-labelledby="error-summary">
    <h2 id="error-summary">{title ?? 'There is a problem'}</h2>
    {errors.length > 0 && (
      <ul>
        {errors.map(({ at, text }) => (
          <li>
            <a href={`#${at}`}>{text}</a>
          </li>
        ))}
      </ul>
    )}
  </div>
);

/** aria-describedby and aria-invalid of a control with a hint or an error. */
export const describedBy = (id: string, { hint, error }: { hint?: boolean; error?: boolean }) => ({
  'aria-describedby':
    [hint && `${id}-hint`, error && `${id}-error`].filter((each) => each).join(' ') || undefined,
  'aria-invalid': error ? ('true' as const) : undefined,
});

/** The error of one control, next to it. */
export const FieldErrorText = ({ id, text }: { id: string; text: string | undefined }) =>
  text ? (
    <span class="error" id={`${id}-error`}>
      {text}
    </span>
  ) : null;
