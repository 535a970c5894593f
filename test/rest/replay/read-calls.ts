import { type Call, calls } from './call.ts';

const FILTER = encodeURIComponent(
  '[{"FieldID":"IxF_Text[{fieldId}]","FieldType":"FieldType_Text","FieldValue":"red","Operator":"equals"}]',
);
const OF_MEMBER = encodeURIComponent(
  '[{"FieldID":"Meta_text_kw256lc[UserEmail].keyword","FieldType":"FieldType_Text","FieldValue":"a@example.test","Operator":"equals"}]',
);
const SIGNING =
  '/documentSignatureSessions/{documentSignatureSessionId}/signingRecipients/{documentSignatureSessionRecipientId}/fields';

/** What published clients read and the vendor's reference names, with the parameters that they send. */
export const READ_CALLS: Call[] = calls(`
  GET /organizations
  GET @
  GET @/permissions
  GET @/members?homePath=/organizations/{organizationId}/link/home
  GET @/documentSubscriptions
  GET @/projects?projectAccessType=&nameFilter=&getAll=false&adminOnly=false
  GET @/searchResults?contentType=Document&metaFieldFilters_json=${FILTER}
  GET @/searchTemplates
  GET ~
  GET ~/searchResults?keyword=document
  GET ~/members?metaFieldFilters_json=${OF_MEMBER}
  GET ~/tags?includeAssetItems=true
  GET ~/fields
  GET ~/fields/{fieldId}
  GET ~/fields/{fieldId}/listItems?parentValue=&valueFilter=r
  GET ~/fields/{fieldId}/listItems?getAllAsFlatFile=true
  GET ~/counts/documents?ignoreInbox=true&ignoreRecycleBin=true
  GET ~/counts/pages
  GET ~/counts/recycleBinDocuments
  GET ~/documents?showAll=true&documentFolderId={documentFolderId}
  GET ~/documents?documentGroupId=fsb_01k9czhv7gqyd0yj0yk8wz1hm6
  GET ~/documents?recycleBin=true&sortType=CreatedOn&sortDescending=true
  GET ~/documentUploads
  GET ~/documentContentPackages/{documentId}?displayInline=false&preview=false&singlePage=false&requireSinglePage=false&pageIndex=0
  GET ~/documentPackages/{documentId}
  GET ~/documentSubscriptions/{documentId}
  GET ~/documents/{documentId}/revisions?sortDescending=true
  GET ~/documents/{documentId}/events?sortDescending=true
  GET ~/documents/{documentId}/comments?sortDescending=false
  GET ~/documents/{documentId}/thumbnails
  GET ~/documents/{documentId}/signatureForms
  GET ~/documents/{documentId}/signatureForms/{documentSignatureFormId}
  GET ~/documents/{documentId}/signatureForms/{documentSignatureFormId}/fields
  GET ~/documents/{documentId}/signatureSessionPackages
  GET ${SIGNING}?skipFormFieldPackage=false&pageIndex=0
  GET ~/recentDocumentSignatureForms?nameFilter=doc&excludingId={documentSignatureFormId}
  GET ~/signatureFormTemplates
  GET ~/signatureFormTemplates/{signatureFormTemplateId}/fields
  GET ~/documentFolders?parentId={documentFolderId}
  GET ~/documentFolders/{documentFolderId}?documentFolderId={documentFolderId}
  GET ~/tasks?activeOnly=true
  GET ~/completedTasks?cursor=
  GET ~/deniedTasks?cursor=
  GET ~/taskStats?activeOnly=true
  GET ~/tasks/{taskId}?taskId={taskId}
  GET ~/tasks/{taskId}/comments?sortDescending=true
  GET ~/approvals?processID=&sortType=CreatedOn
  GET ~/formTemplates
  GET ~/formTemplates/{formTemplateId}/fields
  GET /formTemplatesPublic/{formTemplateId}?uniqueId={formSecret}
  GET /formTemplatesPublic/{formTemplateId}/fields?tenantId={projectId}
  GET /formTemplatesPublic/{formTemplateId}/fields/{formTemplateFieldId}/listItems?tenantId={projectId}&parentValue=&valueFilter=
  GET /organizationMembershipPackages
  GET /organizationMembershipPackages/{organizationId}
  GET /user/organizations
  GET /user/organizations/{organizationId}/projects
  GET /user/profile
  GET /user/preferences
  GET /user/preferences/ViewType?singleUserPreferenceId=ViewType
  GET /user/addressBookItems?includeTenantMembers=true&includeRoles=true&includeFields=false&includeFormTemplateFields=false&filter=a
  GET /user/apiKeys
  GET /supportAdmin
  GET @/projectMembershipPackages
  GET ~/comments
  GET ~/documentFilterSortFields
  GET ~/documentSubscriptions?cursor=
  GET ~/processes?cursor=&getAll=true&sortDescending=false
  GET ~/recycleBinDocuments?cursor=
  GET ~/taskSubscriptions?cursor=`);
