import * as z from 'zod'
import { jsonValue } from './json-value.ts'

const isoDateTime = z.iso.datetime({ offset: true })

/** One line of `GET /approvals`: a call that waits for the caller. */
export const pendingApproval = z.object({
  /** For `POST /chat/{sessionId}/approvals/{id}`. */
  id: z.string(),
  /** `approval`: whether the call may run. `question`: data that a running call requested. */
  kind: z.enum(['approval', 'question']),
  sessionId: z.string(),
  sessionTitle: z.string(),
  /** The channel of its turn, such as `chat`. */
  channel: z.string(),
  turnId: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  /** The arguments of the call. */
  input: jsonValue,
  /** The text for the user. */
  question: z.string(),
  /** The JSON Schema of the requested data. */
  schema: z.record(z.string(), jsonValue).optional(),
  /** Whether the caller has the abilities that the tool requires; everyone may deny. */
  mayApprove: z.boolean(),
  askedAt: isoDateTime,
  /** When the authorization of the turn expires, after which the call can only be denied; missing without an end. */
  expiresAt: isoDateTime.optional(),
})

/** `GET /operator/approvals`: the pending approvals of all users, without their contents. */
export const approvalCounts = z.object({
  pending: z.int(),
  /** The number of users who have one. */
  people: z.int(),
  /** The time of the oldest; missing without any. */
  oldestAskedAt: isoDateTime.optional(),
  /** By age; each is counted once. */
  ages: z.object({ lastHour: z.int(), lastDay: z.int(), lastWeek: z.int(), older: z.int() }),
  /** By channel, the most first. */
  channels: z.array(z.object({ channel: z.string(), pending: z.int() })),
})

/** An address of a person on a channel. */
export const personChannel = z.object({
  /** The plugin of the channel, such as `sms`. */
  plugin: z.string(),
  /** Masked: `+26097•••4567`. */
  address: z.string(),
})

/** One line of `GET /operator/approvals/pending`: a call that waits for its user, without its contents. */
export const waitingApproval = z.object({
  id: z.string(),
  kind: pendingApproval.shape.kind,
  /** The user who may decide it. */
  did: z.string(),
  /** The masked addresses of the user. */
  addresses: z.array(personChannel),
  /** The channel of its turn, such as `chat` or `matrix`. */
  channel: z.string(),
  tool: z.string(),
  askedAt: isoDateTime,
  /** When the authorization of the turn expires; missing without an end. */
  expiresAt: isoDateTime.optional(),
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
})

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

/** `GET /operator/access`: the sources of operator rights in the settings of the oracle. */
export const operatorAccess = z.object({
  /** `delegated`: the oracle or a controller grants abilities. `open`: any signer has them, without those of the operator. */
  access: z.enum(['delegated', 'open']),
  /** Whether `ORACLE_OPERATOR_TOKEN` is set. */
  operatorToken: z.boolean(),
  /** The DIDs of `ORACLE_CONTROLLERS`. */
  controllers: z.array(z.string()),
  /** The keys of `ORACLE_API_KEYS`, without their secrets. */
  apiKeys: z.array(z.object({ name: z.string(), did: z.string().optional(), scopes: z.array(z.string()) })),
})

export type PendingApproval = z.infer<typeof pendingApproval>
export type ApprovalCounts = z.infer<typeof approvalCounts>
export type WaitingApproval = z.infer<typeof waitingApproval>
export type PersonChannel = z.infer<typeof personChannel>
export type PersonSummary = z.infer<typeof personSummary>
export type PersonDetails = z.infer<typeof personDetails>
export type OperatorAccess = z.infer<typeof operatorAccess>
