import type { Host } from '@sibyl/plugin'
import { z } from 'zod'
import type { KeptOutputs } from './kept-outputs.ts'

const kind = 'sandbox/sweep-outputs'

/** Deletes every hour what is expired. */
export const scheduleSweep = async (jobs: Host['jobs'], outputs: Pick<KeptOutputs, 'sweep'>): Promise<void> => {
  jobs.define(kind, z.object({}), () => outputs.sweep(), { concurrency: 1 })
  await jobs.schedule(kind, '17 * * * *', 'UTC', kind, {})
}
