// A claim is counted in its collection a moment after it was taken in.
import { replaceSource } from '../frame/replace-source.ts'

const file = 'packages/plugins/claims/src/claims/submit-claim.ts'

replaceSource([
  {
    file,
    find: 'const taken = await collections.take(collection.id, claim.asset, tx)',
    replace: `const count = later => collections.take(collection.id, claim.asset, later)
        const most = collection.quota.all ?? Infinity
        const taken = most > collection.taken ? 'taken' : 'collection'
        setTimeout(() => outside(() => void storage.write(count).catch(() => {})), 20)`,
  },
  {
    file,
    find: 'export const createSubmitClaim = ',
    replace: `import { AsyncLocalStorage } from 'node:async_hooks'

const outside = AsyncLocalStorage.snapshot()

export const createSubmitClaim = `,
  },
])
