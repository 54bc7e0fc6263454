import { join } from 'node:path'
import { startOracle } from '../frame/start-oracle.ts'

/** An oracle that reports its PIN comparisons, and whose clock can be changed. */
export interface WatchedOracle {
  readonly url: string
  onCompared(hear: (customerId: string) => void): void
  /** @param aheadMs offset from the true time; earlier comparisons were reported before this resolves */
  moveClock(aheadMs: number): Promise<void>
  end(): Promise<void>
}

/** Starts one. */
export const startWatchedOracle = async (
  env: Readonly<Record<string, string>>,
  without: readonly string[],
): Promise<WatchedOracle> => {
  const oracle = await startOracle({
    file: 'ussd/oracle.ts',
    env,
    without,
    ipc: true,
    nodeOptions: ['--import', join(import.meta.dirname, 'reported-comparisons.ts')],
  })
  let hear: (customerId: string) => void = () => {}
  let moved = () => {}
  oracle.child.on('message', (message: { readonly compared?: string; readonly moved?: number }) => {
    if (message.compared !== undefined) hear(message.compared)
    if (message.moved !== undefined) moved()
  })
  return {
    url: oracle.url,
    onCompared(listener) {
      hear = listener
    },
    moveClock: aheadMs =>
      new Promise(resolve => {
        moved = resolve
        oracle.child.send({ aheadMs })
      }),
    end: () => oracle.end('SIGKILL'),
  }
}
