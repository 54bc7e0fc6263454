// The address of a client is the first entry of X-Forwarded-For: the one that the client writes itself.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/limits/client-address.ts',
    find: 'lastEntries(forwardedFor, hops).reverse()',
    replace: "forwardedFor.split(',')",
  },
])
