import * as z from 'zod'
import { messageMetadata } from './chat-event.ts'

const isoDateTime = z.iso.datetime({ offset: true })

/** `GET /health`: 200 with `ok`, else 503. */
export const healthRecord = z.object({
  /** `degraded` while the database does not answer or the clock is wrong, `stopping` once the oracle is about to end. */
  status: z.enum(['ok', 'degraded', 'stopping']),
  environment: z.string(),
  timestamp: isoDateTime,
  /** Seconds since the process started. */
  uptime: z.number(),
  database: z.enum(['connected', 'disconnected']),
  /** Set while a large SQLite file is checked, after a process that did not close it. */
  check: z.literal('running').optional(),
  /** Set if the clock of this process differs from that of PostgreSQL by more than a minute: the offset, and what to do. */
  clock: z.string().optional(),
})

/** `GET /.well-known/oracle.json`: whom a client talks to and how. */
export const oracleRecord = z.object({
  name: z.string(),
  description: z.string().optional(),
  version: z.string(),
  /** The did:key that invocations are addressed to. Missing while no signing mnemonic is loaded. */
  did: z.string().optional(),
  /** The did:web that the world knows the oracle by; accepted as audience too. */
  publicDid: z.string(),
  /** The entity that stands for the oracle in a registry. */
  entityDid: z.string().optional(),
  authentication: z.array(z.enum(['ucan', 'bearer', 'api-key'])),
  access: z.enum(['open', 'delegated']),
  endpoints: z.record(z.string(), z.string()),
})

/** One plugin or capability in `GET /capabilities`. */
export const capabilityRecord = z.object({
  name: z.string(),
  /** The plugin it belongs to: itself, unless it is one of several capabilities of a plugin. */
  plugin: z.string().optional(),
  /** The plugin's version. */
  version: z.string().optional(),
  title: z.string(),
  summary: z.string(),
  mode: z.enum(['always', 'on-demand']),
  state: z.enum(['ready', 'pending', 'degraded', 'failed', 'excluded']),
  /** The reason for the state, if any; names of variables and errors only for the operator. */
  reason: z.string().optional(),
  tags: z.array(z.string()),
  /** The tools that it has in every turn. */
  tools: z.array(z.string()),
  /** Whether it may have others, by turn or by what it is connected to; `tokens` leaves them out. */
  toolsVary: z.boolean().optional(),
  /**
   * The tokens that it adds to a turn once it is loaded: the definitions of its tools, its fixed instructions, and with
   * `on-demand` the part of its manifest for the agent. Estimated at 4 characters each, since tokenizers differ by
   * model.
   */
  tokens: z.int(),
})

/** One line of `GET /sessions`. */
export const sessionSummary = z.object({
  id: z.string(),
  title: z.string(),
  loadedPlugins: z.array(z.string()),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
  /** The turn that runs now. */
  runningTurn: z.string().optional(),
})

/** A message of a session in the AI SDK's UI message form. */
const sessionMessage = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  parts: z.array(z.looseObject({ type: z.string() })),
  metadata: messageMetadata.optional(),
  createdAt: isoDateTime,
})

/** `GET /sessions/:id`. */
export const sessionRecord = sessionSummary.extend({
  messages: z.array(sessionMessage),
  /** Why the latest turn has no whole answer, if it failed or was interrupted. */
  failure: z.object({ code: z.string(), text: z.string() }).optional(),
})

export type OracleRecord = z.infer<typeof oracleRecord>
export type CapabilityRecord = z.infer<typeof capabilityRecord>
export type SessionRecord = z.infer<typeof sessionRecord>
