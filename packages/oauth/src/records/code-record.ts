import * as z from 'zod'

/** A one-time code with which a user signs in. */
export const codeRecord = z.object({
  /** Shown this once. */
  code: z.string(),
  did: z.string(),
  scopes: z.array(z.string()),
  expiresAt: z.iso.datetime(),
})
