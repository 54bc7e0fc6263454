import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'

/** A string and no file, so that it also runs where an app is bundled into one file. */
const script = `
const { DatabaseSync } = require('node:sqlite')
const database = new DatabaseSync(process.argv[1], { readOnly: true, timeout: 1_000 })
for (const query of process.argv.slice(2)) process.stdout.write(JSON.stringify(database.prepare(query).all()) + '\\n')`

export type QueryRow = Readonly<Record<string, unknown>>

/**
 * Runs queries that read a whole SQLite file while it is used. In a process of its own with a low priority, since that ends at
 * once: a thread would end when SQLite has read the file.
 */
export class QueryProcess {
  /** The rows of each query. Rejects if one fails, if the process is stopped, or if Node may not start one (`--permission`). */
  readonly results: Promise<readonly (readonly QueryRow[])[]>
  readonly stop: () => void

  /** @param onResult called after each query with the number of those that are done */
  constructor(path: string, queries: readonly string[], onResult: (done: number) => void = () => {}) {
    const { promise, resolve, reject } = Promise.withResolvers<readonly (readonly QueryRow[])[]>()
    this.results = promise
    let child: ChildProcess | undefined
    this.stop = () => child?.kill('SIGKILL')
    try {
      const args = ['--no-warnings', '-e', script, path, ...queries]
      child = spawn(process.execPath, args, { env: {}, stdio: ['ignore', 'pipe', 'ignore'] })
    } catch (error) {
      reject(error)
      return
    }
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    const results: QueryRow[][] = []
    createInterface({ input: child.stdout! }).on('line', line => onResult(results.push(JSON.parse(line))))
    child.once('error', reject)
    child.once('close', code => {
      if (code === 0) resolve(results)
      else reject(new Error(`The queries ended with code ${code}.`))
    })
  }
}
