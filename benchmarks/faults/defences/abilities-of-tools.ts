// The gate does not ask which ability a tool needs.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/gate/capability-gate.ts',
    find: 'ability => !holdsAbility(scopes, ability)',
    replace: '() => false',
  },
])
