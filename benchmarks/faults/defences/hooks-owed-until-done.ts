// A hook that fails counts as called.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/turn-hooks.ts',
    find: 'if (isDone) succeeded.add(plugin)',
    replace: 'if (true) succeeded.add(plugin)',
  },
])
