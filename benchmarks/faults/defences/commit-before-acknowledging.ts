// Writes are acknowledged at once and committed a moment later, as a database that is tuned for speed alone would.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/storage/src/open-storage.ts',
    find: 'return await this.#engine.write(work as unknown as (tx: Transaction<object>) => Promise<T>, limit, options)',
    replace: `return await new Promise((resolve, reject) => {
      const committed = this.#engine.write(async tx => {
        const value = await work(tx)
        options.committed?.(value)
        resolve(value)
        await new Promise(resume => setTimeout(resume, 50))
        return value
      }, limit, { ...options, committed: undefined })
      committed.catch(reject)
    })`,
  },
])
