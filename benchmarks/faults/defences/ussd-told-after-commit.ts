// A phone is shown its next screen whether its session was stored or not.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/sessions/session-store.ts',
    find: 'else saved.reject(error)',
    replace: 'else saved.resolve(true)',
  },
])
