/** Returns the id of a new session. */
export const newSessionId = (): string => `session_${crypto.randomUUID().replaceAll('-', '')}`
