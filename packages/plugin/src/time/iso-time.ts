/** Returns a time in milliseconds since 1970 in the form of ISO 8601, in UTC. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
