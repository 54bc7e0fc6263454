// The text of a request may hold any characters.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/requests/request-fields.ts',
    find: 'given => !unsendable.test(given)',
    replace: 'given => unsendable !== undefined || given === undefined',
  },
])
