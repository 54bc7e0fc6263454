// A turn that continues after an approval keeps the abilities of its request, regardless of the decider.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/continue-turn.ts',
    find: 'narrowAbilities(asked.actor.scopes, actor.scopes)',
    replace: 'asked.actor.scopes',
  },
])
