// A resumed stream tells what happens from now on, and not what happened while nobody was connected.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/turn-response.ts',
    find: 'new TurnCursor(log, after)',
    replace: 'new TurnCursor(log, after === 0 ? 0 : Math.max(after, log.events.length - 1))',
  },
])
