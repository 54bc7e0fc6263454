// Writes run after a failed sync; they are refused all the same, and can be read.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/storage/src/sqlite/group-commit.ts',
    find: 'if (this.#sync.failure !== undefined) throw this.#sync.failure',
    replace: '',
  },
])
