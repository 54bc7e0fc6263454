// The same message again begins another turn instead of resuming its own.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/claim-turn.ts',
    find: 'messageKey: messageKey ?? null',
    replace: 'messageKey: null',
  },
  {
    file: 'packages/core/src/turn/claim-turn.ts',
    find: "if (message && !(await insertUserMessage(tx, claim, message))) return 'message_id_taken'",
    replace: 'if (message) await insertUserMessage(tx, claim, message)',
  },
])
