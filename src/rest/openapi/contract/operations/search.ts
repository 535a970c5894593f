import type { Area, Operation } from '../contract.ts';

const search = (summary: string): Operation => ({
  summary,
  details:
    'Names, metadata, comments and texts are searched. What was just written is found; what the caller may not see is neither found nor counted.',
  query: {
    keyword: 'string The words.',
    contentType: 'string Only this kind: `Document`, `Task`, `Form` or `Folder`.',
    metaFieldFilters_json:
      'string A JSON array of {`FieldID`, `FieldType`, `FieldValue`, `Operator`}, which all have to hold. FieldID is `IxF_Text[<field id>]` for a field, or `Meta_kw256[ProjectID]`.',
    sortType: 'string What it is sorted by; how well it fits when left out.',
    sortDescending: 'boolean Which end comes first.',
  },
  answer: { key: 'SearchResults', of: 'SearchResult' },
});

export const searchArea: Area = {
  title: 'Search',
  about: 'One grammar over an organization or a project.',
  operations: {
    searchOrganization: search('Search an organization'),
    searchProject: search('Search a project'),
    listSearchTemplates: {
      summary: 'List the searches that are kept',
      answer: { key: 'SearchTemplates', of: 'SearchTemplate' },
    },
  },
};
