// What follows from changes, events, edges and indexes, is written in a transaction of its own after them.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/entities/src/writing/perform-round.ts',
    find: 'if (written < changes.length) throw new Clash()',
    replace: `if (written < changes.length) throw new Clash()
  const { storage } = arguments[0]
  const write = () => storage.write(later => follow(arguments[0], later, changes))
  if (storage) return void setImmediate(() => outside(() => void write().catch(() => {})))
  await follow(arguments[0], tx, changes)
}

const outside = AsyncLocalStorage.snapshot()
const follow = async ({ edges, relationshipRules, projections }, tx, changes) => {`,
  },
  {
    file: 'packages/plugins/entities/src/writing/perform-round.ts',
    find: 'export const writeChanges = async (',
    replace: 'import { AsyncLocalStorage } from "node:async_hooks"\n\nexport const writeChanges = async function (',
  },
  {
    file: 'packages/plugins/entities/src/writing/perform-round.ts',
    find: `  changes: readonly SignedChange[],
): Promise<void> => {
  const written`,
    replace: `  changes: readonly SignedChange[],
): Promise<void> {
  const written`,
  },
])
