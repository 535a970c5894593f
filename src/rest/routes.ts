import { approvalRoutes } from './approvals/routes.ts';
import { commentRoutes } from './comments/routes.ts';
import { documentPackageRoutes } from './document-packages/routes.ts';
import { documentHistoryRoutes } from './documents/history-routes.ts';
import { documentRoutes } from './documents/routes.ts';
import { fieldChoiceRoutes } from './fields/choice-routes.ts';
import { fieldRoutes } from './fields/routes.ts';
import { folderRoutes } from './folders/routes.ts';
import { projectFollowRoutes } from './follows/project-routes.ts';
import { followRoutes } from './follows/routes.ts';
import { publicChoiceRoutes } from './forms/public-choice-routes.ts';
import { publicFormRoutes } from './forms/public-routes.ts';
import { formRoutes } from './forms/routes.ts';
import { formSubmissionRoutes } from './forms/submission-routes.ts';
import { groupRoutes } from './groups/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { openedDocumentRoutes } from './opened-documents/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { processRoutes } from './processes/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { projectSettingsRoutes } from './projects/settings-routes.ts';
import { filterSortRoutes } from './search/filter-sort-routes.ts';
import { searchRoutes } from './search/routes.ts';
import { signatureFormRoutes } from './signatures/form-routes.ts';
import { signatureSessionRoutes } from './signatures/session-routes.ts';
import { signatureTemplateRoutes } from './signatures/template-routes.ts';
import { signingRoutes } from './signing/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { apiKeyRoutes } from './users/api-key-routes.ts';
import { clientDataRoutes } from './users/client-data-routes.ts';
import { preferenceRoutes } from './users/preference-routes.ts';
import { userRoutes } from './users/routes.ts';
import type { Route } from './wire/route.ts';

/** Every route of REST v1, below /api/v1. */
export const restRoutes: Route[] = [
  ...organizationRoutes,
  ...projectRoutes,
  ...projectSettingsRoutes,
  ...memberRoutes,
  ...groupRoutes,
  ...documentRoutes,
  ...documentPackageRoutes,
  ...followRoutes,
  ...openedDocumentRoutes,
  ...projectFollowRoutes,
  ...documentHistoryRoutes,
  ...commentRoutes,
  ...uploadRoutes,
  ...folderRoutes,
  ...fieldRoutes,
  ...fieldChoiceRoutes,
  ...taskRoutes,
  ...approvalRoutes,
  ...processRoutes,
  ...formRoutes,
  ...formSubmissionRoutes,
  ...publicFormRoutes,
  ...publicChoiceRoutes,
  ...signatureFormRoutes,
  ...signatureSessionRoutes,
  ...signatureTemplateRoutes,
  ...signingRoutes,
  ...userRoutes,
  ...clientDataRoutes,
  ...preferenceRoutes,
  ...apiKeyRoutes,
  ...searchRoutes,
  ...filterSortRoutes,
];
