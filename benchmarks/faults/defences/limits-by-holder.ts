// Limits count the DID that acts, so that a re-delegation to a fresh key renews them.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugin/src/limits/limit-shares.ts',
    find: '=> holder ?? did',
    replace: '=> did',
  },
])
