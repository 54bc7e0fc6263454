// A stream goes on listening for a reader who is gone.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/turn-response.ts',
    find: 'sink.onClose(finish)',
    replace: 'sink.onClose(() => {})',
  },
])
