import type { Host } from '@sibyl/plugin'
import { z } from 'zod'
import type { StatusPlaces } from './status-places.ts'

const kind = 'credentials/release-places'

/** Sets places free every day that a process reserved and never used, such as one that was killed. */
export const scheduleRelease = async (jobs: Host['jobs'], places: Pick<StatusPlaces, 'release'>): Promise<void> => {
  jobs.define(kind, z.object({}), async () => void (await places.release()), { concurrency: 1 })
  await jobs.schedule(kind, '41 3 * * *', 'UTC', kind, {})
}
