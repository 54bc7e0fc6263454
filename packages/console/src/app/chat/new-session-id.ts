export const newSessionId = (): string => `session_${crypto.randomUUID().replaceAll('-', '')}`
