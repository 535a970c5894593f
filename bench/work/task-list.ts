import { graphCall, type Work } from '../work.ts';

const QUERY = `query ($id: ID!) { project(id: $id) { tasks(first: 25) { nodes { id name state priority createdAt
  assignee { id name } createdBy { id name } documents(first: 3) { nodes { id name } }
  comments(first: 2) { nodes { id text createdAt } } } } } }`;

/** Needs the data of tasks.sql. */
export const taskList: Work = {
  id: 'task-list',
  title: 'A page of 25 tasks with assignee, creator, 3 documents and 2 comments',
  calls: ({ small: { projectId: id } }) => ({ graph: graphCall(QUERY, { id }) }),
};
