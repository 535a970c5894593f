import type {
  DocumentRecordFragment,
  FolderRecordFragment,
  FoundFormFragment,
  FoundTaskFragment,
  ProjectAccess,
  SearchPageFragment,
  SearchTemplateRecordFragment,
} from '../../generated/operations/graphql.ts';
import { documentRecord, readablePath } from '../documents/record.ts';
import { resultOf, taskDocumentRecord } from '../tasks/record.ts';
import { projectAccess } from '../wire/common-records.ts';
import { by, text, time, ZERO_TIME } from '../wire/wire.ts';
import { CONTENT_TYPES, fieldEntry, projectEntry } from './filter.ts';

type Hit = SearchPageFragment['nodes'][number];
type Found = NonNullable<Hit['node']>;
type FoundDocument = Extract<Found, { __typename?: 'Document' }> & DocumentRecordFragment;
type FoundFolder = Extract<Found, { __typename?: 'Folder' }> & FolderRecordFragment;

/** Not shown by the clients. */
const STATE_NAMES = { OPEN: 'Open', COMPLETED: 'Completed', DENIED: 'Denied' };

const NOBODY = { id: '', name: '', email: '' };

/** The strict client wants a PrimaryDocument of every result, and this one where there is none. */
const NO_DOCUMENT = {
  ...documentRecord({
    id: '',
    organizationId: '',
    project: { id: '', name: '', access: 'OPEN' },
    assigneeEmails: [],
    createdAt: ZERO_TIME,
    createdBy: NOBODY,
    name: '',
    state: 'ACTIVE',
    origin: 'UPLOAD',
    size: 0,
    revisionNumber: 1,
  } as unknown as DocumentRecordFragment),
  ProjectAccessType: '',
  Origin: '',
  TaskID: '',
  DocumentFolderHexColor: '',
  ...by('Created', null),
  ...by('Modified', null),
  NameLower: '',
  IsActive: false,
  PurgeMarkedOn: ZERO_TIME,
  FailedBuildAttempts: false,
  LastError: '',
  BucketName: '',
  SourceObjectName: '',
  ThumbnailObjectName: '',
  RevisionCreatedOn: ZERO_TIME,
  FormSubmissionID: '',
};

/** What a kind of thing has no value for. */
const NOTHING = {
  UniqueID: '',
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
  PreviewMetadata: [],
  PrimaryDocument: NO_DOCUMENT,
  UserName: '',
  UserEmail: '',
  CompletedByUserEmail: '',
  CompletedByUserName: '',
  ProcessName: '',
  ProcessElementName: '',
  Result: '',
  AssetName: '',
  AssetID: '',
  Archived: false,
};

interface Common {
  id: string;
  organizationId: string;
  project?: { id: string; name: string; access: ProjectAccess } | null;
  name: string;
  createdAt: string;
  createdBy: { id: string; name: string; email: string };
}

const common = ({ kind, score }: Hit, item: Common, ancestorIds: string[]) => ({
  ...NOTHING,
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
});

function ofDocument(hit: Hit, document: FoundDocument) {
  const { folder } = document;
  const record = documentRecord(document);
  return {
    ...common(hit, document, folder ? [...folder.ancestorIds, folder.id] : []),
    Tags: document.tags,
    PurgeDate: record.PurgeDate,
    PageCount: record.PageCount,
    FileSize: record.FileSize,
    ThumbnailUrl: record.ThumbnailUrl,
    IsSigned: record.IsSigned,
    AssignmentUserEmails: document.assigneeEmails,
    DocumentID: document.id,
    DocumentFolderID: record.DocumentFolderID,
    DocumentOrigin: record.Origin,
    DocumentFolderPath: record.DocumentFolderPath,
    DocumentFolderHexColor: text(folder?.hexColor),
  };
}

const ofFolder = (hit: Hit, folder: FoundFolder, path: string[]) => ({
  ...common(hit, folder, folder.ancestorIds),
  UniqueID: folder.linkId,
  AssignmentUserEmails: folder.assigneeEmails,
  DocumentFolderID: folder.id,
  DocumentFolderPath: readablePath(path),
  DocumentFolderHexColor: text(folder.hexColor),
});

function ofTask(hit: Hit, task: FoundTaskFragment) {
  const { primaryDocument: document } = task;
  return {
    ...common(hit, task, []),
    Description: task.description,
    DueOn: time(task.dueAt),
    Priority: task.priority,
    TaskStateName: STATE_NAMES[task.taskState],
    AssignmentUserEmail: text(task.assigneeEmail),
    AssignmentUserEmails: task.assigneeEmail ? [task.assigneeEmail] : [],
    AssignmentUserName: text(task.assignee?.name),
    CompletedOn: time(task.completedAt),
    CompletedByUserEmail: text(task.completedBy?.email),
    CompletedByUserName: text(task.completedBy?.name),
    Result: resultOf({ state: task.taskState, result: task.taskResult }),
    DocumentID: text(document?.id),
    PrimaryDocument: document ? taskDocumentRecord(task.id)(document) : NO_DOCUMENT,
  };
}

const ofForm = (hit: Hit, form: FoundFormFragment) => ({
  ...common(hit, { ...form, project: form.formProject }, []),
  UniqueID: text(form.publicLinkId),
});

/** SearchResult; nothing for what went away while it was being found. */
export function searchRecords(hit: Hit): object[] {
  const { node } = hit;
  switch (node?.__typename) {
    case 'Document':
      return [ofDocument(hit, node)];
    case 'Folder':
      return [ofFolder(hit, node, node.path)];
    case 'Task':
      return [ofTask(hit, node)];
    case 'FormTemplate':
      return [ofForm(hit, node)];
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
