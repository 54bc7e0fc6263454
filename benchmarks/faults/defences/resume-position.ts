// A resumed stream begins from its start, whatever the client has read.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/http/chat-routes.ts',
    find: 'streamTurn(c, turn, last?.after ?? 0)',
    replace: 'streamTurn(c, turn, 0)',
  },
])
