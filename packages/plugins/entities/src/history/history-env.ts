import { z } from 'zod'

const perMinute = z.coerce.number().int().min(0).max(1_000_000)

/** The variables of what callers may ask of the past. */
export const historyEnv = {
  ENTITIES_HISTORY_PER_MINUTE: perMinute.default(120).meta({
    description:
      "How many requests a minute one address may send to entities' histories and proofs, counted apart from others; 0 is no limit.",
  }),
  DID_RESOLUTION_PER_MINUTE: perMinute.default(300).meta({
    description:
      'How many requests a minute one address may send to `GET /1.0/identifiers/{did}`, counted apart from others; 0 is no limit.',
  }),
}
