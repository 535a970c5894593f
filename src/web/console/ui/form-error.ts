import { DomainError } from '../../../domain/kernel/errors.ts';

/** Why the graph refused a form. */
export interface FormError {
  text: string;
  /** The name of the field that it is about. */
  at?: string;
  /** Where the input has it, as `steps.0.name`. */
  path?: string;
  /** Which item of a list, from 0. */
  position?: number;
  status: number;
}

const STATUS: Partial<Record<DomainError['code'], number>> = {
  BAD_USER_INPUT: 422,
  NOT_FOUND: 404,
  CONFLICT: 409,
  FORBIDDEN: 403,
  RATE_LIMITED: 429,
  COST_LIMIT_EXCEEDED: 422,
};

/** Runs a change, or shows its page again with the reason of the refusal: that throws NOT_FOUND where the page is not visible either. */
export async function attempt(
  change: () => Promise<Response>,
  showAgain: (error: FormError) => Promise<Response>,
): Promise<Response> {
  try {
    return await change();
  } catch (thrown) {
    const status = thrown instanceof DomainError && STATUS[thrown.code];
    if (!status) throw thrown;
    const error = messageOf(thrown);
    return showAgain({ ...error, status: status === 404 && error.at ? 422 : status });
  }
}

/** `redirectUris.0: must …` is about item 0 of the field `redirectUris`, and people read `Must …`. */
function messageOf({ message, reason, subject, at = '' }: DomainError): Omit<FormError, 'status'> {
  const parts = at.split('.');
  const field = parts.filter((part) => !/^\d+$/.test(part)).at(-1);
  const position = parts.find((part) => /^\d+$/.test(part));
  const text = subject === at ? reason : message;
  return {
    text: text.charAt(0).toUpperCase() + text.slice(1),
    at: field || undefined,
    path: at || undefined,
    position: position === undefined ? undefined : Number(position),
  };
}

/** The same about the field of the form by the member of the input; of other members, about the whole form. */
export const inField = (error: FormError, fields: Readonly<Record<string, string>>): FormError => ({
  ...error,
  at: fields[error.at ?? ''],
});

/** A refusal before the graph is asked, by the name of the field. */
export const fieldError = (at: string, text: string): FormError => ({ at, text, status: 422 });
