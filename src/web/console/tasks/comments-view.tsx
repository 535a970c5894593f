import { Name } from '../../ui/name.tsx';
import { Form, TextArea } from '../ui/fields.tsx';
import { Pager, Row, Rows, Time } from '../ui/parts.tsx';
import { mayEdit } from '../ui/project-tabs.tsx';
import type { Task, TaskViewProps } from './task.ts';

/** The comments on a task, the newest first, and a form for another. */
export const CommentsView = (props: TaskViewProps) => {
  const { path, task, project, after } = props;
  const { nodes, pageInfo } = task.comments;
  return (
    <section class="card" aria-labelledby="comments">
      <h2 id="comments">Comments</h2>
      {mayEdit(project) && <CommentForm {...props} />}
      <Rows count={nodes.length} empty="There is no comment yet.">
        {nodes.map((comment) => (
          <CommentRow comment={comment} />
        ))}
      </Rows>
      <Pager path={path} after={after} pageInfo={pageInfo} />
    </section>
  );
};

const CommentRow = ({ comment }: { comment: Task['comments']['nodes'][number] }) => (
  <Row>
    <strong>
      <Name of={comment.createdBy?.name ?? 'Somebody'} maxLength={80} />
    </strong>
    {comment.application && (
      <>
        {' '}
        with <Name of={comment.application.name} maxLength={60} />
      </>
    )}
    , <Time at={comment.createdAt} byMinute />
    <p class="text">{comment.text}</p>
  </Row>
);

const CommentForm = ({ path, formToken, error, entered }: TaskViewProps) => (
  <Form action={`${path}/comments`} formToken={formToken}>
    <TextArea {...{ name: 'texts', label: 'Your comment', error, value: entered?.texts }} />
    <button type="submit" class="small plain">
      Add the comment
    </button>
  </Form>
);
