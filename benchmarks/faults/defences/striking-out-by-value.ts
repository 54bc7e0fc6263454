// The log does not know the values of secrets.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugin/src/logging/redaction.ts',
    find: 'patterns.reduce((rest, pattern) => rest.replace(pattern, redacted), withoutLong)',
    replace: 'text',
  },
])
