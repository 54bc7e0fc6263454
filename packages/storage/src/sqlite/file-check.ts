import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** A string and no file, so that it also runs where an app is bundled into one file. */
const script = `
const { DatabaseSync } = require('node:sqlite')
const database = new DatabaseSync(process.argv[1], { readOnly: true })
process.stdout.write(database.prepare('pragma quick_check(1)').get().quick_check)`

/**
 * Checks a SQLite file while it is used. In a process of its own, since that ends at once: a thread would end when SQLite has
 * read the whole file.
 */
export class FileCheck {
  /** Resolves once the file is found to be damaged. */
  readonly damaged: Promise<void>
  /** `unknown`: it was stopped, or could not run. */
  state: 'running' | 'good' | 'damaged' | 'unknown' = 'running'
  readonly stop: () => void

  constructor(path: string) {
    const child = startCheck(path)
    this.stop = () => child?.kill('SIGKILL')
    if (child?.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    let found = ''
    child?.stdout?.setEncoding('utf8').on('data', (text: string) => (found += text))
    this.damaged = new Promise(resolve => {
      if (!child) this.state = 'unknown'
      child?.once('error', () => (this.state = 'unknown'))
      child?.once('close', code => {
        if (code !== 0) this.state = 'unknown'
        else this.state = found === 'ok' ? 'good' : 'damaged'
        if (this.state === 'damaged') resolve()
      })
    })
  }
}

/** Undefined where Node may not start processes (`--permission`). */
const startCheck = (path: string): ChildProcess | undefined => {
  try {
    const args = ['--no-warnings', '-e', script, path]
    const child = spawn(process.execPath, args, { env: {}, stdio: ['ignore', 'pipe', 'ignore'] })
    child.unref()
    return child
  } catch {
    return undefined
  }
}
