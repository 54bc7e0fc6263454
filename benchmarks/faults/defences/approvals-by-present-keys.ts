// A turn that goes on after an approval holds what the API key that asked gave then, though it gives less now.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/turn/continue-turn.ts',
    find: 'verdict.holds ? verdict.actor : both',
    replace: 'both',
  },
])
