// Each IPv6 address is counted for itself.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/limits/ip-address.ts',
    find: 'return { own: `',
    replace: 'return { own: address, ofOne: `',
  },
])
