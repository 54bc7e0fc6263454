/** Start of each access token. */
export const accessTokenPrefix = 'sibyl_at_'

/** The client ID of the oracle's own console, which is registered in advance. */
export const consoleClientId = 'sibyl-console'

/** Cookies of the authorization server. */
export const cookieNames = { session: 'sibyl_session', interaction: 'sibyl_sign_in', resume: 'sibyl_resume' } as const
