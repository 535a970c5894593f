import { Notice } from '../public/states.tsx';
import { ErrorSummary, type FieldError } from '../ui/error-summary.tsx';
import { Name, shownName } from '../ui/name.tsx';
import { PublicFrame } from '../ui/public-frame.tsx';
import { FormField, type FormFieldProps } from './field.tsx';

export interface FormProps {
  action: string;
  /** Of this rendering: it makes one submission. */
  token: string;
  script: string;
  name: string;
  organizationName: string;
  fields: readonly FormFieldProps[];
  /** CSS with the colours of the project. */
  style?: string;
  errors?: readonly FieldError[];
}

/** A public form. */
export const Form = ({ action, token, script, name, organizationName, fields, style, errors }: FormProps) => (
  <PublicFrame
    title={errors ? `Error: ${shownName(name)}` : shownName(name)}
    script={script}
    style={style}
    layout="narrow"
  >
    <form class="card" method="post" action={action} novalidate data-once>
      <input type="hidden" name="token" value={token} />
      {errors && (
        <ErrorSummary
          errors={errors}
          title={
            errors.length === 1
              ? 'One answer needs your attention'
              : `${errors.length} answers need your attention`
          }
        />
      )}
      <p class="sender who">
        <strong>
          <Name of={organizationName} />
        </strong>{' '}
        asks you to fill in
      </p>
      <h1 class="who form-name">
        <Name of={name} />
      </h1>
      {fields.map((field) => (
        <FormField {...field} />
      ))}
      <div class="actions">
        <button type="submit">Send</button>
      </div>
    </form>
  </PublicFrame>
);

interface FormSentProps extends Pick<FormProps, 'name' | 'organizationName' | 'style'> {
  /** Link to fill in the form again. */
  link?: { href: string; text: string };
  /** Answers as they were understood. */
  answers: readonly { label: string; text: string }[];
  /** It was sent again with other answers, which were not stored. */
  unchanged: boolean;
}

/** Shown after the answers were sent. */
export const FormSent = ({ name, organizationName, link, answers, unchanged, style }: FormSentProps) => (
  <Notice
    title="Thank you"
    success
    style={style}
    text={
      <>
        Your answers to “<Name of={name} />” have been sent to <Name of={organizationName} />.
      </>
    }
    link={link}
    more={
      <>
        {unchanged && (
          <p>
            This page had been sent before. Those answers stay; what you changed after that was not sent. To
            send other answers, fill in the form again.
          </p>
        )}
        {answers.length > 0 && (
          <>
            <p>Your numbers and dates were read as:</p>
            <dl>
              {answers.map(({ label, text: read }) => (
                <>
                  <dt>
                    <Name of={label} />
                  </dt>
                  <dd>
                    <bdi>{read}</bdi>
                  </dd>
                </>
              ))}
            </dl>
          </>
        )}
      </>
    }
  />
);
