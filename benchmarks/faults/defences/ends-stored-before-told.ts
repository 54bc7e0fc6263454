// The final event of a turn is sent at once, and its end is stored a moment later.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/turn-finisher.ts',
    find: 'const stored = await this.#patiently(work)',
    replace: 'const stored = true; setTimeout(() => void work().catch(() => {}), 250)',
  },
])
