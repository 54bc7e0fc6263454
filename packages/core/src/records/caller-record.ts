import * as z from 'zod'

/** `GET /me`: the user of a credential, with their rights. */
export const callerRecord = z.object({
  did: z.string(),
  /** Abilities, such as `chat/*`. */
  scopes: z.array(z.string()),
  /** Whether the operator granted them, so that `operator/…` abilities apply. */
  operator: z.boolean(),
})

export type CallerRecord = z.infer<typeof callerRecord>
