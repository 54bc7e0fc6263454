// Writes are acknowledged after the commit, without a sync.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/storage/src/sqlite/log-sync.ts',
    find: 'fdatasync(this.#descriptor, error => {',
    replace: 'setImmediate((error?: Error) => {',
  },
])
