// The windows of rate limits go by the wall clock.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/limits/rate-counter.ts',
    find: 'now: () => number = () => performance.now()',
    replace: 'now: () => number = () => Date.now()',
  },
])
