import type {
  DocumentRecordFragment,
  FolderRecordFragment,
  ProjectAccess,
  SearchFormFragment,
  SearchPageFragment,
  SearchTaskFragment,
  SearchTemplateRecordFragment,
} from '../../generated/operations/graphql.ts';
import { documentRecord, NO_DOCUMENT, readablePath } from '../documents/record.ts';
import { projectAccess } from '../projects/record.ts';
import { intervalOf, resultOf, STATE_NAMES } from '../tasks/record.ts';
import { taskDocumentRecord } from '../tasks/related-record.ts';
import { by, text, time, ZERO_TIME } from '../wire/values.ts';
import { CONTENT_TYPES, fieldEntry, projectEntry } from './filter.ts';

type Hit = SearchPageFragment['nodes'][number];
type HitNode = NonNullable<Hit['node']>;
type DocumentNode = Extract<HitNode, { __typename?: 'Document' }> & DocumentRecordFragment;
type FolderNode = Extract<HitNode, { __typename?: 'Folder' }> & FolderRecordFragment;

const PART_NAMES = {
  NAME: 'Name',
  TAG: 'Tag',
  COMMENT: 'Comment',
  FOLDER: 'Folder',
  TEXT: 'Text',
  VALUE: 'Value',
};

/** The PrimaryDocument of a result without one, with the members that only documents of results have. */
const NO_RESULT_DOCUMENT = {
  ...NO_DOCUMENT,
  TaskID: '',
  NameLower: '',
  IsActive: false,
  PurgeMarkedOn: ZERO_TIME,
  FailedBuildAttempts: false,
  LastError: '',
  BucketName: '',
  SourceObjectName: '',
  ThumbnailObjectName: '',
  RevisionCreatedOn: ZERO_TIME,
};

/** The members for which a kind of result has no value. */
const EMPTY = {
  UniqueID: '',
  FormTemplateID: '',
  FormTemplateUniqueID: '',
  DueOn: ZERO_TIME,
  Priority: 0,
  TaskMilestoneName: '',
  TaskStateName: '',
  TaskDurationMultiplier: 0,
  TaskDurationInterval: '',
  Tags: [] as string[],
  AssetItemTags: [],
  CompletedOn: ZERO_TIME,
  PurgeDate: ZERO_TIME,
  PageCount: 0,
  FileSize: 0,
  ThumbnailUrl: '',
  IsSigned: false,
  AssignmentUserEmail: '',
  AssignmentUserEmails: [] as string[],
  AssignmentUserName: '',
  DocumentID: '',
  DocumentFolderID: '',
  DocumentOrigin: '',
  DocumentFolderPath: '',
  DocumentFolderHexColor: '',
  DocumentSignatureSessionID: '',
  DocumentSignatureSessionIsActive: false,
  Description: '',
  PreviewMetadata: [] as object[],
  PrimaryDocument: NO_RESULT_DOCUMENT,
  UserName: '',
  UserEmail: '',
  CompletedByUserEmail: '',
  CompletedByUserName: '',
  ProcessName: '',
  ProcessElementName: '',
  Result: '',
  AssetName: '',
  AssetPluralName: '',
  AssetID: '',
  Archived: false,
};

interface Item {
  id: string;
  organizationId: string;
  project?: { id: string; name: string; access: ProjectAccess } | null;
  name: string;
  createdAt: string;
  createdBy: { id: string; name: string; email: string };
}

/** `Matches` has the start and end of each word of the search in `Text`, in UTF-16 code units. */
const highlightRecord = ({ part, label, page, text: snippet, matches }: Hit['highlights'][number]) => ({
  Part: PART_NAMES[part],
  Label: text(label),
  Page: page ?? 0,
  Text: snippet,
  Matches: matches,
});

const common = ({ kind, score, highlights }: Hit, item: Item, ancestorIds: string[]) => ({
  ...EMPTY,
  ID: item.id,
  ContentType: CONTENT_TYPES[kind],
  AncestorIDs: ancestorIds,
  OrganizationID: item.organizationId,
  ProjectID: text(item.project?.id),
  ProjectName: text(item.project?.name),
  ProjectAccess: projectAccess(item.project?.access),
  ItemAncestorIDs: ancestorIds,
  ItemID: item.id,
  ItemType: CONTENT_TYPES[kind],
  Name: item.name,
  CreatedOn: item.createdAt,
  CreatedByUserEmail: item.createdBy.email,
  CreatedByUserName: item.createdBy.name,
  Score: score,
  Highlights: highlights.map(highlightRecord),
});

function documentResult(hit: Hit, document: DocumentNode) {
  const { folder } = document;
  const record = documentRecord(document);
  return {
    ...common(hit, document, folder ? [...folder.ancestorIds, folder.id] : []),
    Tags: document.tags,
    PurgeDate: record.PurgeDate,
    PageCount: record.PageCount,
    FileSize: record.FileSize,
    ThumbnailUrl: record.ThumbnailUrl,
    PreviewMetadata: record.PreviewMetadata,
    IsSigned: record.IsSigned,
    AssignmentUserEmails: document.assigneeEmails,
    DocumentID: document.id,
    DocumentFolderID: record.DocumentFolderID,
    DocumentOrigin: record.Origin,
    DocumentFolderPath: record.DocumentFolderPath,
    DocumentFolderHexColor: text(folder?.hexColor),
    DocumentSignatureSessionID: text(document.signatureSession?.id),
    DocumentSignatureSessionIsActive: record.SignatureSessionIsActive,
    ProcessName: record.ProcessName,
    ProcessElementName: record.ProcessElementName,
    Archived: record.IsMarkedForPurge,
  };
}

const folderResult = (hit: Hit, folder: FolderNode, path: string[]) => ({
  ...common(hit, folder, folder.ancestorIds),
  UniqueID: folder.linkId,
  AssignmentUserEmails: folder.assigneeEmails,
  DocumentFolderID: folder.id,
  DocumentFolderPath: readablePath(path),
  DocumentFolderHexColor: text(folder.hexColor),
});

function taskResult(hit: Hit, task: SearchTaskFragment) {
  const { primaryDocument: document } = task;
  return {
    ...common(hit, task, []),
    Description: task.description,
    DueOn: time(task.dueAt),
    ProcessName: text(task.pendingApproval?.process.name),
    ProcessElementName: text(task.pendingApproval?.step.name),
    Priority: task.priority,
    Tags: task.tags,
    TaskDurationMultiplier: task.duration?.amount ?? 0,
    TaskDurationInterval: intervalOf(task.duration),
    TaskStateName: STATE_NAMES[task.taskState],
    AssignmentUserEmail: text(task.assigneeEmail),
    AssignmentUserEmails: task.assigneeEmail ? [task.assigneeEmail] : [],
    AssignmentUserName: text(task.assignee?.name),
    CompletedOn: time(task.completedAt),
    CompletedByUserEmail: text(task.completedBy?.email),
    CompletedByUserName: text(task.completedBy?.name),
    Result: resultOf({ state: task.taskState, result: task.taskResult }),
    DocumentID: text(document?.id),
    PrimaryDocument: document ? taskDocumentRecord({ ...document, taskId: task.id }) : NO_RESULT_DOCUMENT,
  };
}

const formResult = (hit: Hit, form: SearchFormFragment) => ({
  ...common(hit, { ...form, project: form.formProject }, []),
  UniqueID: text(form.publicLinkId),
  FormTemplateID: form.id,
  FormTemplateUniqueID: text(form.publicLinkId),
});

/** SearchResult; an empty array for an object that was deleted during the search. */
export function searchRecords(hit: Hit): object[] {
  const { node } = hit;
  switch (node?.__typename) {
    case 'Document':
      return [documentResult(hit, node)];
    case 'Folder':
      return [folderResult(hit, node, node.path)];
    case 'Task':
      return [taskResult(hit, node)];
    case 'FormTemplate':
      return [formResult(hit, node)];
    default:
      return [];
  }
}

/** SearchTemplate. */
export const templateRecord = (template: SearchTemplateRecordFragment) => ({
  ID: template.id,
  OrganizationID: template.organizationId,
  ProjectID: text(template.project?.id),
  CreatedOn: template.createdAt,
  ...by('Created', template.createdBy),
  ModifiedOn: time(template.modifiedAt),
  Name: template.name,
  NameLower: template.name.toLowerCase(),
  ContentType: template.filter.kind ? CONTENT_TYPES[template.filter.kind] : '',
  Keyword: template.query,
  MetaFieldFilters: [
    ...(template.filter.projectIds ?? []).map(projectEntry),
    ...template.filter.fields.map((each) => fieldEntry(each, each.field?.type ?? 'TEXT')),
  ],
});
