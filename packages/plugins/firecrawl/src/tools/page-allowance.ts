import { type HostLimits, holderOf, ToolFailure, type Turn } from '@sibyl/plugin'

/** Counts the pages that a holder has fetched; rejects where it is one too many for this minute. */
export type PageAllowance = (turn: Turn) => Promise<void>

/** @param perMinute pages for each holder */
export const createPageAllowance =
  (limits: HostLimits, perMinute: number): PageAllowance =>
  async ({ actor }) => {
    const { allowed, endsInMs } = await limits.take({ name: 'firecrawl-pages', key: holderOf(actor), perMinute })
    if (allowed) return
    const seconds = Math.max(1, Math.ceil(endsInMs / 1_000))
    throw new ToolFailure(`That were more than ${perMinute} pages in a minute. Try again in ${seconds} s.`)
  }
