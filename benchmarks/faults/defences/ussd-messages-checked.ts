// What a provider's adapter read reaches a session as it is.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/gateway/provider-routes.ts',
    find: 'if (!events.has(event)',
    replace: 'if (event) return true\n  if (!events.has(event)',
  },
])
