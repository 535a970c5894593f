/** The rules by which something is refused or hidden, with who can grant what is missing. */
const ACCESS_RULES = {
  SCOPE:
    'Whoever made the API key, by one with the scopes; for an application its user, who is asked for them again.',
  ORGANIZATION_ROLE: 'An owner of the organization, or an admin for roles below OWNER.',
  PROJECT_ROLE: 'An admin of the project, or an owner or admin of its organization.',
  NO_APPLICATION: 'Nobody. It takes an API key or a browser sign-in, not the token of an application.',
  BROWSER_SESSION: 'Nobody. It takes a browser sign-in.',
  FRESH_PROOF: 'The user, at /account/confirm.',
  OTHER: 'Whoever manages the object; the message says what it takes.',
  AUTHORIZATION_LIMIT: 'The user, who limited the application to projects, at /oauth/apps.',
  APPLICATION_POLICY: 'An owner or admin of the organization, by its policy for applications.',
  VISIBILITY:
    'Whoever manages the organization or the project, if there is such an object: the two cannot be told apart. In an organization that requires a second factor, a user without one, at /account.',
} as const;

type AccessRuleName = keyof typeof ACCESS_RULES;

/** Why something was refused. `required`: the roles of which one is needed. */
export interface AccessRule {
  rule: AccessRuleName;
  required?: readonly string[];
}

/** The roles that manage an organization. */
export const MANAGERS: AccessRule = { rule: 'ORGANIZATION_ROLE', required: ['OWNER', 'ADMIN'] };

/** Only owners. */
export const OWNERS: AccessRule = { rule: 'ORGANIZATION_ROLE', required: ['OWNER'] };

/** A role in a project. */
export const projectRoleRule = (role: string): AccessRule => ({ rule: 'PROJECT_ROLE', required: [role] });

/** What is said about a refusal to a caller who asks why. */
export interface AccessExplanation {
  rule: AccessRuleName;
  required?: readonly string[];
  missing?: readonly string[];
  grantedBy: string;
}

export const explanationOf = ({ rule, required }: AccessRule): AccessExplanation => ({
  rule,
  ...(required && { required }),
  grantedBy: ACCESS_RULES[rule],
});
