// The end of a turn that could not be stored is not tried again.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/turn-finisher.ts',
    find: 'for (let delayMs = 200; !this.#closing;',
    replace: 'for (let delayMs = 200; false;',
  },
])
