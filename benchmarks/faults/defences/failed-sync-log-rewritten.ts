// The log that a failed sync left stays as it is.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/storage/src/sqlite/open-sqlite.ts',
    find: 'if (recovered) rewriteLog(writer, file)',
    replace: '',
  },
])
