import type { Area, Operation } from '../contract.ts';

const search = (summary: string, query: Operation['query'] = {}): Operation => ({
  summary,
  details:
    'Searches names, metadata, comments and the text of files. Changes are searchable at once, except the text of files, which is extracted after the upload. Only results that the caller may see are returned and counted.',
  query: {
    keyword: 'string The words to search for.',
    contentType: 'string Only this kind: `Document`, `Task`, `Form` or `Folder`.',
    metaFieldFilters_json:
      'string A JSON array of {`FieldID`, `FieldType`, `FieldValue`, `Operator`}, all of which must match. FieldID is `IxF_Text[<field id>]` for a field, or `Meta_kw256[ProjectID]`.',
    sortType: 'string The sort order; by default, the best match first.',
    sortDescending: 'boolean Whether the order is descending.',
    ...query,
  },
  answer: { key: 'SearchResults', of: 'SearchResult' },
});

export const searchArea: Area = {
  title: 'Search',
  about: 'Full-text search in an organization or a project.',
  operations: {
    searchOrganization: search('Search an organization'),
    searchProject: search('Search a project', {
      parentId: 'string Only what is in this folder or in one below it.',
    }),
    getDocumentFilterSortFields: {
      summary: 'Get the fields and orders by which documents can be filtered and sorted',
      details:
        'The fields of the project that `metaFieldFilters_json` of the searches takes, and the terms of `sortType`.',
      answer: 'DocumentFilterSortFields',
    },
    listSearchTemplates: {
      summary: 'List saved searches',
      answer: { key: 'SearchTemplates', of: 'SearchTemplate' },
    },
  },
};
