import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LoadResult, LoadRound } from './load-process.ts'

/** The clients of a measurement, in a process of their own. */
export interface Load {
  /** Runs one round; throws where an answer is neither 200 nor 201. */
  run(round: LoadRound): Promise<LoadResult>
  stop(): void
}

/** Starts the process of the clients. */
export const startLoad = (): Load => {
  const child = fork(join(import.meta.dirname, 'load-process.ts'))
  return {
    async run(round) {
      child.send(round)
      const [content] = (await once(child, 'message')) as [{ result?: LoadResult; error?: string }]
      if (content.result === undefined) throw new Error(content.error)
      return content.result
    },
    stop: () => child.disconnect(),
  }
}
