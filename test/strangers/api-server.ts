import type { Hono } from 'hono';
import { listen } from '../../src/http/listen.ts';
import { newWorld, testApp } from '../support/world.ts';

/** A world behind a listening server, and what clients need to reach it. */
export async function apiServer() {
  const world = await newWorld();
  const app: Hono = await testApp(world.db);
  const requests: { method: string; body: string }[] = [];
  const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${port}`;
  const recordingFetch: typeof fetch = (input, init) => {
    requests.push({ method: init?.method ?? 'GET', body: String(init?.body ?? '') });
    return fetch(input, init);
  };
  return {
    ...world,
    origin,
    url: `${origin}/graphql`,
    headers: { authorization: `Bearer ${world.owner.key}` },
    /** Requests sent with `recordingFetch`. */
    requests,
    recordingFetch,
    close,
  };
}

export const CREATE_TASKS = `mutation CreateTasks($input: CreateTasksInput!) { createTasks(input: $input) { tasks { id name } } }`;

export const UPDATE_TASK = `mutation UpdateTask($input: UpdateTaskInput!) { updateTask(input: $input) { task { id name } } }`;

export const TASKS = `query Tasks($id: ID!, $first: Int, $after: String) {
  project(id: $id) { id tasks(first: $first, after: $after) { edges { cursor node { id name } } pageInfo { hasNextPage endCursor } } }
}`;
