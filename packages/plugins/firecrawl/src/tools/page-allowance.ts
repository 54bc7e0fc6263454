import { type HostLimits, ToolFailure, type Turn } from '@sibyl/core'

/** Counts the pages that a person has fetched; rejects where it is one too many for this minute. */
export type PageAllowance = (turn: Turn) => Promise<void>

/** @param perMinute pages for each person */
export const createPageAllowance =
  (limits: HostLimits, perMinute: number): PageAllowance =>
  async ({ actor }) => {
    const { allowed, endsInMs } = await limits.take({ name: 'firecrawl-pages', key: actor.did, perMinute })
    if (allowed) return
    const seconds = Math.max(1, Math.ceil(endsInMs / 1_000))
    throw new ToolFailure(`That were more than ${perMinute} pages in a minute. Try again in ${seconds} s.`)
  }
