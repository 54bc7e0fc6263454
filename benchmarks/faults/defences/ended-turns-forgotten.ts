// The engine keeps every turn that has ended, with room for its stream.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/local-turns.ts',
    find: 'void this.#turns.delete(turnId)',
    replace: `{
      this.kept = { before: this.kept, turn: this.#turns.get(turnId), stream: new Array(8000).fill(0) }
      this.#turns.delete(turnId)
    }`,
  },
])
