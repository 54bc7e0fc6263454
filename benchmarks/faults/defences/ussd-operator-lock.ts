// The operator's routes are public.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/operators/operator-lock.ts',
    find: 'if (token === undefined && openWithoutToken) return',
    replace: "if (token !== '') return",
  },
])
