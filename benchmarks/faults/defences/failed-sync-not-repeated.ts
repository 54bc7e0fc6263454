// Data committed during a failed sync is synced again, which succeeds without the lost pages.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/storage/src/sqlite/log-sync.ts',
    find: 'this.#running.then(() => this.#sync())',
    replace: 'this.#running.then(() => this.#sync(), () => this.#sync())',
  },
])
