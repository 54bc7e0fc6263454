// Errors of a handler are sent to the client unmasked.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/http/http-app.ts',
    find: "detail: 'The error was logged.'",
    replace: 'detail: String(error.cause ?? error.message)',
  },
])
