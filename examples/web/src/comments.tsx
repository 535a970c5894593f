import type { FormEvent } from 'react';
import { useMutation } from 'urql';
import { shortDate } from './format.ts';
import type { DocumentQuery } from './gql/graphql.ts';
import { COMMENT } from './operations.ts';

type Comment = NonNullable<DocumentQuery['document']>['comments']['nodes'][number];

export function Comments({ document, comments }: { document: string; comments: Comment[] }) {
  const [, send] = useMutation(COMMENT);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = String(new FormData(form).get('text')).trim();
    form.reset();
    if (!text) return;
    const { error } = await send({ input: { documentId: document, texts: [text] } });
    // What was written is not lost.
    if (error) (form.elements.namedItem('text') as HTMLTextAreaElement).value = text;
  };
  return (
    <section>
      <h3>Comments</h3>
      <ol className="comments">
        {comments.map(({ id, text, createdAt, createdBy }) => (
          <li key={id}>
            <strong>{createdBy?.name ?? 'You'}</strong>{' '}
            <time className="muted small">{shortDate(createdAt)}</time>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <form className="write" onSubmit={submit}>
        <textarea
          name="text"
          rows={2}
          maxLength={4_000}
          placeholder="Write a comment"
          aria-label="Comment"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <button type="submit">Send</button>
      </form>
    </section>
  );
}
