// X-Forwarded-For counts from any caller, not from the addresses of TRUST_PROXY_FROM alone.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/limits/client-address.ts',
    find: 'if (address === undefined || !from.has(address))',
    replace: 'if (address === undefined)',
  },
])
