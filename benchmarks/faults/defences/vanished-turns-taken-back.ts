// A turn that was not admitted when its process ended is interrupted instead of taken back.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/recover-turns.ts',
    find: 'if (!turn.admitted || (isOwn && !turn.wasFollowed)) {',
    replace: 'if (isOwn && !turn.wasFollowed) {',
  },
])
