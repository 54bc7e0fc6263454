// X-Forwarded-For counts although no proxy is trusted.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/limits/client-address.ts',
    find: "if (hops === 0) return { address, ignoredBy: 'TRUST_PROXY_ENABLED' }",
    replace: 'hops ||= 1',
  },
])
