import { jsonValue } from '@sibyl/protocol'
import * as z from 'zod'

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

export type PendingApproval = z.infer<typeof pendingApproval>
export type ApprovalCounts = z.infer<typeof approvalCounts>
export type WaitingApproval = z.infer<typeof waitingApproval>
