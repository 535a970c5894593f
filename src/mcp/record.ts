import { z } from 'zod';

const person = z.object({ name: z.string() });

export const named = z.object({ id: z.string(), name: z.string() });

export const documentRecord = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  contentType: z.string(),
  size: z.number().describe('In bytes.'),
  pageCount: z.number().nullable().optional(),
  revisionNumber: z.number(),
  textStatus: z.string().describe('READY once its text can be read.'),
  tags: z.array(z.string()),
  folder: z
    .object({ id: z.string(), path: z.array(z.string()) })
    .nullable()
    .optional(),
  project: named,
  createdAt: z.string(),
  createdBy: person,
  modifiedAt: z.string().nullable().optional(),
});

export const taskRecord = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  result: z.string().nullable().optional(),
  dueAt: z.string().nullable().optional(),
  overdue: z.boolean(),
  priority: z.number(),
  tags: z.array(z.string()),
  assignee: person.nullable().optional(),
  project: named,
  version: z.number(),
});

export const commentRecord = z.object({
  id: z.string(),
  text: z.string(),
  createdAt: z.string(),
  createdBy: person.nullable().optional(),
  application: person.nullable().optional(),
});

export const eventRecord = z.object({
  sequence: z.number(),
  kind: z.string(),
  createdAt: z.string(),
  createdBy: person.nullable().optional(),
  application: person.nullable().optional(),
  projectId: z.string().nullable().optional(),
  subjectId: z.string(),
  text: z.string().nullable().optional(),
});
