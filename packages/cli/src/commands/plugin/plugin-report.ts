import { z } from 'zod'

/** Messages of the process that checks plugins, one per line. */
export const pluginReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begins'), file: z.string(), what: z.string() }),
  z.object({ kind: z.literal('not-loaded'), file: z.string(), trace: z.string() }),
  z.object({ kind: z.literal('plugin'), file: z.string(), name: z.string() }),
  z.object({ kind: z.literal('check'), file: z.string(), check: z.string(), problem: z.string().optional() }),
  z.object({ kind: z.literal('end') }),
])

export type PluginReport = z.infer<typeof pluginReport>

export interface CheckedPlugin {
  readonly file: string
  /** Missing if its file could not be loaded. */
  readonly name?: string
  readonly checks: readonly PluginCheckResult[]
}

export interface PluginCheckResult {
  readonly name: string
  readonly ok: boolean
  readonly problem?: string
}
