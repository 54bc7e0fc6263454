// Sessions are kept in memory, and are written where an account is written with them.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/sessions/session-store.ts',
    find: 'await this.#commit(taken)',
    replace: `const now = this.#time.now()
    for (const pending of taken()) this.#settle(pending, { keys: new Set([pending.session.key]), now, moves: this.#time.moves })`,
  },
])
