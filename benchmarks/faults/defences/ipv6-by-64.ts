// Each IPv6 address is counted for itself.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugin/src/limits/ip-address.ts',
    find: 'own: network(64),',
    replace: 'own: address,',
  },
])
