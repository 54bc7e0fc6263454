// Nonces that have expired by the clock are forgotten at once, also when the clock has just jumped.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/maintenance/maintenance.ts',
    find: 'if (clock.evenFor() < evenBeforeMs) return',
    replace: '',
  },
])
