// What runs later holds what its API key gave when it was set up, though the API key gives less now.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/auth/grant-check.ts',
    find: 'actor: { ...actor, scopes }',
    replace: 'actor',
  },
])
