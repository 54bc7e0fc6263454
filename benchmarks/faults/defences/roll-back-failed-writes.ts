// A commit that fails leaves its transaction open.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/storage/src/sqlite/group-commit.ts',
    find: "if (this.#isInTransaction()) this.#frame('rollback')",
    replace: '',
  },
])
