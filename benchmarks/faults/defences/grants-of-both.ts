// A turn that goes on after an approval rests on the right of whoever decided alone.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/continue-turn.ts',
    find: 'joinGrants(actor.grant, asked.actor.grant)',
    replace: 'actor.grant',
  },
])
