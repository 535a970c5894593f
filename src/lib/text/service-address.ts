/** Never resolves (RFC 2606 §2), so that no mail can ever reach a service account. */
const SERVICE_DOMAIN = 'service-account.invalid';

/**
 * The address of the service account of an application, by the id of its user. It stands where a person has an address; it
 * cannot be registered, invited, or mailed to.
 */
export const serviceAddress = (userId: string): string => `${userId}@${SERVICE_DOMAIN}`;

/** Whether a stored address is that of a service account. */
export const isServiceAddress = (email: string): boolean => email.endsWith(`@${SERVICE_DOMAIN}`);
