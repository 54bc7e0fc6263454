// A session is found by its id and its code only, regardless of the caller.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/sessions/session-place.ts',
    find: 'JSON.stringify([provider, sessionId, phoneNumber, codes.session])',
    replace: 'JSON.stringify([provider, sessionId, codes.session])',
  },
])
