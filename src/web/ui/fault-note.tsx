export interface Fault {
  /** The id of the input with the fault. */
  at: string;
  text: string;
}

/** Summary of faults before a form. It takes the focus, and each entry links to its field. */
export const FaultNote = ({ faults, title }: { faults: readonly Fault[]; title?: string }) => (
  <div class="note alarm" role="alert" tabindex={-1} autofocus aria-labelledby="faults">
    <h2 id="faults">{title ?? 'Something is missing'}</h2>
    {faults.length > 0 && (
      <ul>
        {faults.map(({ at, text }) => (
          <li>
            <a href={`#${at}`}>{text}</a>
          </li>
        ))}
      </ul>
    )}
  </div>
);

/** aria-describedby and aria-invalid of a control with a hint or a fault. */
export const describedBy = (id: string, { hint, fault }: { hint?: boolean; fault?: boolean }) => ({
  'aria-describedby':
    [hint && `${id}-hint`, fault && `${id}-fault`].filter((each) => each).join(' ') || undefined,
  'aria-invalid': fault ? ('true' as const) : undefined,
});

/** The fault of one control, next to it. */
export const FieldFault = ({ id, text }: { id: string; text: string | undefined }) =>
  text ? (
    <span class="fault" id={`${id}-fault`}>
      {text}
    </span>
  ) : null;
