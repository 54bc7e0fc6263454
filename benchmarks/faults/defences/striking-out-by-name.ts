// The log does not look at the names of fields.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/logging/plain-fields.ts',
    find: 'isSecretField(key, entry) ? redacted : inside(entry)',
    replace: 'inside(entry)',
  },
])
