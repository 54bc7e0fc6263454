import { QueryProcess } from './query-process.ts'

/** Checks a SQLite file while it is used. */
export class FileCheck {
  /** Resolves once the file is found to be damaged. */
  readonly damaged: Promise<void>
  /** `unknown`: it was stopped, or could not run. */
  state: 'running' | 'good' | 'damaged' | 'unknown' = 'running'
  readonly stop: () => void

  constructor(path: string) {
    const { results, stop } = new QueryProcess(path, ['pragma quick_check(1)'])
    this.stop = stop
    this.damaged = new Promise(resolve => {
      const end = (state: 'good' | 'damaged' | 'unknown') => {
        this.state = state
        if (state === 'damaged') resolve()
      }
      results.then(
        ([rows]) => end(rows?.[0]?.quick_check === 'ok' ? 'good' : 'damaged'),
        () => end('unknown'),
      )
    })
  }
}
