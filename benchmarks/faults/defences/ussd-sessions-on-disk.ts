// Sessions are kept in memory, and are written where an account is written with them.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/sessions/session-store.ts',
    find: 'await this.#commit(taken, async () => {})',
    replace: `const now = this.#parts.time.now()
    for (const wish of taken()) this.#settle(wish, { keys: new Set([wish.session.key]), now, moves: this.#parts.time.moves })`,
  },
])
