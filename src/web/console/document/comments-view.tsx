import { Name } from '../../ui/name.tsx';
import { Form, TextArea } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Pager, Row, Rows, Time } from '../ui/parts.tsx';
import type { ConsoleDocument } from './console-document.ts';

interface CommentsProps {
  path: string;
  formToken: string;
  comments: ConsoleDocument['comments'];
  after: string | undefined;
  mayAdd: boolean;
  error?: FormError;
  /** What was typed. */
  entered?: string;
}

/** The comments on a document, newest first, and the form for one more. */
export const CommentsView = ({ path, comments, after, mayAdd, ...form }: CommentsProps) => (
  <section class="card" aria-labelledby="comments">
    <h2 id="comments">Comments</h2>
    {mayAdd && (
      <Form action={`${path}/comments`} formToken={form.formToken}>
        <TextArea {...{ name: 'text', label: 'Your comment', error: form.error, value: form.entered }} />
        <button type="submit">Add the comment</button>
      </Form>
    )}
    <Rows count={comments.nodes.length} empty="There are no comments.">
      {comments.nodes.map((comment) => (
        <CommentEntry comment={comment} />
      ))}
    </Rows>
    <Pager
      {...{ path, after, pageInfo: comments.pageInfo, parameter: 'comments', anchor: 'comments' }}
      label="Pages of comments"
    />
  </section>
);

const CommentEntry = ({ comment }: { comment: ConsoleDocument['comments']['nodes'][number] }) => (
  <Row>
    <strong>
      {comment.createdBy ? (
        <Name of={comment.createdBy.name} maxLength={80} />
      ) : (
        'Somebody without an account'
      )}
    </strong>
    {comment.application && (
      <>
        {' '}
        with <Name of={comment.application.name} maxLength={80} />
      </>
    )}
    <p>
      <Time at={comment.createdAt} byMinute />
    </p>
    <p class="text">
      <bdi>{comment.text}</bdi>
    </p>
  </Row>
);
