// A turn that continues after an approval uses only the right of the decider.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/continue-turn.ts',
    find: 'joinGrants(actor.grant, asked.actor.grant)',
    replace: 'actor.grant',
  },
])
