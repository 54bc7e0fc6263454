/** Start of each access token. */
export const accessTokenPrefix = 'sibyl_at_'

/** Cookies of the authorization server. */
export const cookieNames = { session: 'sibyl_session', interaction: 'sibyl_sign_in', resume: 'sibyl_resume' } as const
