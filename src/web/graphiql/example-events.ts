import type { Example } from './example.ts';

/** Examples that read what happens, and the schema. */
export const EVENTS: readonly Example[] = [
  {
    name: 'notifications',
    title: 'Notifications',
    about: 'What concerns you, the newest first.',
    query: `# Unread notifications, and what each is about.
# markNotificationsRead marks them.
query Notifications {
  viewer {
    unreadNotificationCount
    notifications(first: 10, filter: { isUnread: true }) {
      nodes {
        id
        kind
        happenedAt
        subject {
          id
          ... on Document { name }
          ... on Task { name }
        }
        event { text createdBy { name } }
      }
    }
  }
}
`,
  },
  {
    name: 'history',
    title: 'History',
    about: 'The latest events of an organization, with what changed.',
    variables: (ids) => ({ organizationId: ids.organizationId }),
    query: `# Each change is an event. A subscription and webhooks report the same ones.
query History($organizationId: ID!) {
  node(id: $organizationId) {
    ... on Organization {
      events(first: 10, direction: DESC) {
        nodes {
          sequence
          kind
          createdAt
          createdBy { name }
          changes { member before after }
        }
      }
    }
  }
}
`,
  },
  {
    name: 'subscription',
    title: 'Subscription',
    about: 'Events as they happen, by server-sent events.',
    variables: (ids) => ({ organizationId: ids.organizationId }),
    query: `# Stays open. Run the example "Create a folder" in another tab, and its event arrives here.
subscription Events($organizationId: ID!) {
  eventAppended(organizationId: $organizationId) {
    sequence
    kind
    createdAt
    createdBy { name }
    subject { id }
  }
}
`,
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    about: 'The webhooks of an organization, with their latest deliveries.',
    variables: (ids) => ({ organizationId: ids.organizationId }),
    query: `# For owners and admins of the organization.
query Webhooks($organizationId: ID!) {
  node(id: $organizationId) {
    ... on Organization {
      webhooks(first: 10) {
        nodes {
          id
          url
          kinds
          state
          stateReason
          deliveries(first: 5) {
            nodes { sequence state tries attempts(first: 1) { nodes { status error duration } } }
          }
        }
      }
    }
  }
}
`,
  },
  {
    name: 'deprecations',
    title: 'Deprecations',
    about: 'Fields and arguments that will be removed, and what to use instead.',
    query: `# isDeprecated is false for all fields if nothing is to be removed.
query Deprecations {
  __schema {
    types {
      name
      fields(includeDeprecated: true) {
        name
        isDeprecated
        deprecationReason
      }
    }
  }
}
`,
  },
];
