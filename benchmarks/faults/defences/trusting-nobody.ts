// X-Forwarded-For counts although no proxy is trusted.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/limits/client-address.ts',
    find: 'if (hops === 0 || forwardedFor === undefined) return socket',
    replace: 'if (forwardedFor === undefined) return socket\n  hops ||= 1',
  },
  {
    file: 'packages/core/src/http/identify-request.ts',
    find: "trust.hops === 0 ? undefined : c.req.header('x-forwarded-for')",
    replace: "c.req.header('x-forwarded-for')",
  },
])
