import type { ConsoleTaskQuery } from '../../../generated/operations/graphql.ts';
import type { Startable } from '../processes/start.ts';
import type { FormError } from '../ui/form-error.ts';
import type { PageProject } from '../ui/project-tabs.tsx';

export type Task = NonNullable<ConsoleTaskQuery['task']>;

/** What was typed into one of the forms, after a refusal; `texts` is a comment. */
export interface EnteredChange {
  result?: string;
  assigneeEmail?: string;
  texts?: string;
  processId?: string;
}

export interface TaskViewProps {
  path: string;
  formToken: string;
  project: PageProject;
  task: Task;
  startable: Startable | undefined;
  /** The cursor of the comments. */
  after: string | undefined;
  error?: FormError;
  entered?: EnteredChange;
}
