// A resumed stream only sends new events, and not those of the time without a connection.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/turn-response.ts',
    find: 'new TurnCursor(log, after)',
    replace: 'new TurnCursor(log, after === 0 ? 0 : Math.max(after, log.events.length - 1))',
  },
])
