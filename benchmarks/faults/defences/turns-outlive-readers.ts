// A turn is stopped when its reader's connection closes.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/http/chat-routes.ts',
    find: 'return answer(c, started)',
    replace: `const { sessionId } = request.start
      c.env.outgoing?.once('close', () => void engine.stop(c.get('actor').did, { sessionId }))
      return answer(c, started)`,
  },
])
