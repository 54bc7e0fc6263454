/** Cost of work for its process. */
export interface LoopHeld<Value> {
  readonly value: Value
  /** The longest that the event loop was held at once, in milliseconds of the thread's CPU time: other work on the machine does not count. */
  readonly heldMs: number
  /** The same in milliseconds of wall time, so that waiting for the disk counts, and so does other work on the machine. */
  readonly pauseMs: number
  readonly cpuMs: number
  readonly wallMs: number
}

/** Runs work beside a loop that reads the clock at every turn of the event loop. */
export const loopHeld = async <Value>(work: () => Promise<Value>): Promise<LoopHeld<Value>> => {
  let [running, heldMs, last] = [true, 0, threadMs()]
  let [pauseMs, lastAt] = [0, performance.now()]
  const check = () => {
    const now = threadMs()
    heldMs = Math.max(heldMs, now - last)
    last = now
    const at = performance.now()
    pauseMs = Math.max(pauseMs, at - lastAt)
    lastAt = at
    if (running) setImmediate(check)
  }
  setImmediate(check)
  const [startedAt, cpuBefore] = [performance.now(), threadMs()]
  const value = await work()
  await new Promise(resolve => setImmediate(resolve))
  running = false
  return { value, heldMs, pauseMs, cpuMs: threadMs() - cpuBefore, wallMs: performance.now() - startedAt }
}

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
