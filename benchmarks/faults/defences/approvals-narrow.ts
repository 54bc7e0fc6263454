// A turn that goes on after an approval holds what it held when it asked, whoever decided.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/continue-turn.ts',
    find: 'narrowAbilities(asked.actor.scopes, actor.scopes)',
    replace: 'asked.actor.scopes',
  },
])
