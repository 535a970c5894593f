import {
  createSearchTemplate,
  deleteSearchTemplates,
  type SearchTemplate as SearchTemplateRow,
  updateSearchTemplate,
} from '../../../domain/search/search-template.ts';
import { EXPECTED_VERSION, WITHIN } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { QUERY, SearchFilter } from './input.ts';
import { SearchTemplate } from './template.ts';

const createSearchTemplateInput = mutationInput({
  description: 'A search to save.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'The organization to search.' }),
    projectId: t.id({ description: 'Search this one project of it.' }),
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    query: t.string({ description: QUERY }),
    filter: t.field({ type: SearchFilter, description: 'The filter.' }),
  }),
});

const updateSearchTemplateInput = mutationInput({
  description: 'A change of a saved search; omitted members keep their values.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    searchTemplateId: t.id({ required: true, description: 'Which one.' }),
    name: t.string({ description: 'The new display name.' }),
    query: t.string({ description: QUERY }),
    filter: t.field({ type: SearchFilter, description: 'Replaces the filter.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const deleteSearchTemplatesInput = mutationInput({
  description: 'Saved searches to delete: all, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    searchTemplateIds: t.idList({ required: true, description: 'Which ones.' }),
  }),
});

const searchTemplatePayload = mutationPayload<{ searchTemplate: SearchTemplateRow }>({
  description: 'The saved search after the change.',
  fields: (t) => ({
    searchTemplate: t.expose('searchTemplate', { type: SearchTemplate, description: 'The saved search.' }),
  }),
});

const deleteSearchTemplatesPayload = mutationPayload<{ searchTemplateIds: string[] }>({
  description: 'The deleted objects.',
  fields: (t) => ({
    searchTemplateIds: t.exposeIDList('searchTemplateIds', { description: 'The ids, each once.' }),
  }),
});

mutation('createSearchTemplate', {
  scope: 'organizations:write',
  description: 'Saves a search for yourself. Requires the role MEMBER in the organization.',
  argument: 'The search.',
  input: createSearchTemplateInput,
  payload: searchTemplatePayload,
  resolve: async (input, ctx) => ({ searchTemplate: await createSearchTemplate(ctx, input) }),
});

mutation('updateSearchTemplate', {
  scope: 'organizations:write',
  description: 'Changes a search that you saved.',
  argument: 'The change.',
  input: updateSearchTemplateInput,
  payload: searchTemplatePayload,
  resolve: async (input, ctx) => ({ searchTemplate: await updateSearchTemplate(ctx, input) }),
});

mutation('deleteSearchTemplates', {
  scope: 'organizations:write',
  description: 'Deletes searches that you saved.',
  argument: 'Which ones.',
  input: deleteSearchTemplatesInput,
  payload: deleteSearchTemplatesPayload,
  batch: { items: 'searchTemplateIds', empty: { searchTemplateIds: [] } },
  resolve: async (input, ctx) => ({ searchTemplateIds: await deleteSearchTemplates(ctx, input) }),
});
