import { capabilityRecord } from '@sibyl/protocol'
import * as z from 'zod'

const isoDateTime = z.iso.datetime({ offset: true })

/** `GET /`. */
export const statusRecord = z.object({
  status: z.literal('ok'),
  message: z.string(),
  environment: z.string(),
  timestamp: isoDateTime,
})

/** A protocol for existing clients, as `GET /capabilities` lists it. */
export const adapterRecord = z.object({
  name: z.string(),
  version: z.string().optional(),
  title: z.string(),
  summary: z.string(),
  state: capabilityRecord.shape.state,
  /** The reason for the state, if any; names of variables and errors only for the operator. */
  reason: z.string().optional(),
  /** The path at which clients connect; missing where it is off. */
  endpoint: z.string().optional(),
})

/** `GET /usage`: what the caller used today, and may use. */
export const usageRecord = z.object({
  /** The day of UTC it counts: '2026-11-21'. */
  day: z.iso.date(),
  /** The start of the next day, when the count restarts. */
  resetsAt: isoDateTime,
  /** Tokens of turns that have ended, input and output together. */
  tokens: z.int(),
  /** The most that the caller may use in a day; missing where there is no end. */
  budget: z.int().optional(),
})

export type StatusRecord = z.infer<typeof statusRecord>
export type AdapterRecord = z.infer<typeof adapterRecord>
export type UsageRecord = z.infer<typeof usageRecord>
