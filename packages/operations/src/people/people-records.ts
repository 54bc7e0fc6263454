import { personChannel } from '@sibyl/core/records'
import * as z from 'zod'

const isoDateTime = z.iso.datetime({ offset: true })

/** A name of a person, on one line and without invisible characters. */
export const personName = z.object({
  name: z.string(),
  /** Whether an operator gave it, or the person chose it: anyone can choose the name of another. */
  chosenBy: z.enum(['operator', 'person']),
})

/** One line of `GET /operator/people`. */
export const personSummary = z.object({
  did: z.string(),
  /** The creation of the oldest session; missing without one. */
  firstActivityAt: isoDateTime.optional(),
  /** The last change of a session; missing without one. */
  lastActivityAt: isoDateTime.optional(),
  sessions: z.int(),
  /** Tokens of turns that ended today, in UTC. */
  tokensToday: z.int(),
  channels: z.array(personChannel),
  /** Those that operators gave come first. */
  names: z.array(personName),
})

/** One person of `POST /operator/people/names`. */
export const namedPerson = personSummary.pick({ did: true, names: true })

/** `GET /operator/people/{person}`. */
export const personDetails = personSummary.extend({
  /** The most tokens of a person in a day; missing without a limit. */
  tokenBudget: z.int().optional(),
  /** The days with usage, the latest first. */
  tokens: z.array(z.object({ day: z.iso.date(), tokens: z.int() })),
  pendingApprovals: z.int(),
  /** The number of valid API keys. */
  apiKeys: z.int(),
  /** The number of valid delegations to the oracle. */
  delegations: z.int(),
})

export type PersonName = z.infer<typeof personName>
export type PersonSummary = z.infer<typeof personSummary>
export type PersonDetails = z.infer<typeof personDetails>
