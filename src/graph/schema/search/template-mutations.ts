import {
  createSearchTemplate,
  deleteSearchTemplates,
  type SearchTemplate as SearchTemplateRow,
  updateSearchTemplate,
} from '../../../domain/search/search-template.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN } from '../kernel/descriptions.ts';
import { QUERY, SearchFilter } from './input.ts';
import { SearchTemplate } from './template.ts';

const CreateSearchTemplateInput = builder.inputType('CreateSearchTemplateInput', {
  description: 'A search to save.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'The organization to search.' }),
    projectId: t.id({ description: 'Search this one project of it.' }),
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    query: t.string({ description: QUERY }),
    filter: t.field({ type: SearchFilter, description: 'Which things.' }),
  }),
});

const UpdateSearchTemplateInput = builder.inputType('UpdateSearchTemplateInput', {
  description: 'A change of a saved search; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    searchTemplateId: t.id({ required: true, description: 'Which one.' }),
    name: t.string({ description: 'The new display name.' }),
    query: t.string({ description: QUERY }),
    filter: t.field({ type: SearchFilter, description: 'Replaces the filter.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const DeleteSearchTemplatesInput = builder.inputType('DeleteSearchTemplatesInput', {
  description: 'Saved searches to delete: all, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    searchTemplateIds: t.idList({ required: true, description: 'Which ones.' }),
  }),
});

const SearchTemplatePayload = builder
  .objectRef<{ searchTemplate: SearchTemplateRow }>('SearchTemplatePayload')
  .implement({
    description: 'The saved search as it now is.',
    fields: (t) => ({
      searchTemplate: t.expose('searchTemplate', { type: SearchTemplate, description: 'The saved search.' }),
    }),
  });

const DeleteSearchTemplatesPayload = builder
  .objectRef<{ searchTemplateIds: string[] }>('DeleteSearchTemplatesPayload')
  .implement({
    description: 'What was deleted.',
    fields: (t) => ({
      searchTemplateIds: t.exposeIDList('searchTemplateIds', { description: 'The ids, each once.' }),
    }),
  });

builder.mutationFields((t) => ({
  createSearchTemplate: t.field({
    type: SearchTemplatePayload,
    description: 'Saves a search for yourself. Takes the role MEMBER in the organization.',
    args: { input: t.arg({ type: CreateSearchTemplateInput, required: true, description: 'The search.' }) },
    resolve: async (_, { input }, ctx) => ({ searchTemplate: await createSearchTemplate(ctx, input) }),
  }),
  updateSearchTemplate: t.field({
    type: SearchTemplatePayload,
    description: 'Changes a search that you saved.',
    args: { input: t.arg({ type: UpdateSearchTemplateInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ searchTemplate: await updateSearchTemplate(ctx, input) }),
  }),
  deleteSearchTemplates: t.field({
    type: DeleteSearchTemplatesPayload,
    description: 'Deletes searches that you saved.',
    args: { input: t.arg({ type: DeleteSearchTemplatesInput, required: true, description: 'Which ones.' }) },
    resolve: async (_, { input }, ctx) => ({ searchTemplateIds: await deleteSearchTemplates(ctx, input) }),
  }),
}));
