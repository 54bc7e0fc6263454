// Caps that are for all have no reserve for API keys and controllers.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugin/src/limits/limit-shares.ts',
    find: 'ofAll: capacity - reserved,',
    replace: 'ofAll: capacity,',
  },
])
