// Two jobs of the oracle that run once a minute run five times a second here, by name: a shorter clock for all timers of a
// minute would shorten the time limits of model calls too.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource(
  [
    {
      file: 'packages/core/src/maintenance/maintenance.ts',
      find: 'const forgetIntervalMs = 60_000',
      replace: 'const forgetIntervalMs = 200',
    },
    {
      file: 'packages/core/src/maintenance/maintenance.ts',
      find: 'task()\n',
      replace: 'task().finally(() => intervalMs === forgetIntervalMs && process.send?.({ cleaned: true }))\n',
    },
    {
      file: 'packages/storage/src/jobs/open-jobs.ts',
      find: 'sqlite: 60_000',
      replace: 'sqlite: 200',
    },
  ],
  'hastened',
)
