import type { ConsoleCommentsFragment } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Form, TextArea } from './fields.tsx';
import type { FormError } from './form-error.ts';
import { Pager, Row, Rows, Time } from './parts.tsx';

interface CommentsProps {
  /** The path of the page; that of the form is `comments` below it. */
  path: string;
  formToken: string;
  comments: ConsoleCommentsFragment;
  after: string | undefined;
  mayAdd: boolean;
  /** The name of the field with the new comment. */
  field: string;
  error?: FormError;
  /** What was typed. */
  entered?: string;
}

/** The comments on a document or a task, newest first, and the form for one more. The cursor of the list is in the parameter `comments`. */
export const CommentsView = ({ path, comments, after, mayAdd, ...form }: CommentsProps) => (
  <section class="card" aria-labelledby="comments">
    <h2 id="comments">Comments</h2>
    {mayAdd && (
      <Form action={`${path}/comments`} formToken={form.formToken}>
        <TextArea {...{ name: form.field, label: 'Your comment', error: form.error, value: form.entered }} />
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

const CommentEntry = ({ comment }: { comment: ConsoleCommentsFragment['nodes'][number] }) => (
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
    {comment.isRedacted ? (
      <p>
        <em>Its text was removed.</em>
      </p>
    ) : (
      <p class="text">
        <bdi>{comment.text}</bdi>
      </p>
    )}
  </Row>
);
