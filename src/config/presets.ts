/** The values of `LIMITS`. */
export const PRESETS = ['small', 'standard', 'off'] as const;

/**
 * What a preset sets in place of the defaults, as it would be written in the environment; a variable that is set there has
 * precedence.
 */
const VALUES: Record<(typeof PRESETS)[number], Record<string, string>> = {
  /** For a machine with 1 GiB of memory: less is under way at a time, and each request may hold less. */
  small: {
    BATCH_MAX: '500',
    DATABASE_POOL: '5',
    IDEMPOTENCY_KEYS: '5000',
    QUERY_COST: '5000',
    REQUESTS_AT_ONCE: '200',
    REQUESTS_PER_MINUTE: '300',
    RESPONSE_BYTES: String(4 * 2 ** 20),
    SOCKETS_PER_NETWORK: '500',
    SUBSCRIPTIONS: '5',
    SUBSCRIPTIONS_ORGANIZATION: '50',
    SUBSCRIPTIONS_USER: '10',
    UNREAD_BYTES: String(2 ** 25),
  },
  standard: {},
  /**
   * For a server behind a gateway that counts requests. Bounds of one request (sizes, cost, depth, time), of what is under
   * way at a time and of attempts to guess a secret stay: they protect the process and the accounts.
   */
  off: {
    AUTHORIZE_REQUESTS: '0',
    CONTENT_READS_PER_MINUTE: '0',
    ORGANIZATIONS_PER_DAY: '0',
    POINTS_PER_REQUEST: '0',
    PUBLIC_REQUESTS: '0',
    REQUESTS_PER_MINUTE: '0',
    REQUESTS_PER_MINUTE_ADDRESS: '0',
    SOCKETS_PER_NETWORK: '0',
  },
};

/** The variables of a preset; none for a name that is not one, which is reported as any other value. */
export const presetOf = (name = 'standard'): Record<string, string> =>
  Object.hasOwn(VALUES, name) ? VALUES[name as keyof typeof VALUES] : {};
