// Every invocation counts as one that was never used before.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/auth/replay-guard.ts',
    find: 'return row !== undefined',
    replace: 'return row !== null',
  },
])
