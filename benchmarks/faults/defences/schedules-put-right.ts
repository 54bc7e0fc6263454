// A schedule keeps the time that a wrong clock gave it.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/storage/src/jobs/job-schedules.ts',
    find: 'if (now < this.#lookedAt) await this.#putRight(kinds, now)',
    replace: '',
  },
])
