// The log does not know the values of secrets.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/logging/redaction.ts',
    find: 'known ? text.replace(known, redacted) : text',
    replace: 'text',
  },
])
