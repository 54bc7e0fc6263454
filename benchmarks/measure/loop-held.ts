/** What work cost the process that it ran in. */
export interface LoopHeld<Value> {
  readonly value: Value
  /** The longest that the event loop was held at once, in milliseconds of the thread's CPU time: other work on the machine does not count. */
  readonly heldMs: number
  readonly cpuMs: number
  readonly wallMs: number
}

/** Runs work beside a loop that looks at the clock at every turn of the event loop. */
export const loopHeld = async <Value>(work: () => Promise<Value>): Promise<LoopHeld<Value>> => {
  let [running, heldMs, last] = [true, 0, threadMs()]
  const look = () => {
    const now = threadMs()
    heldMs = Math.max(heldMs, now - last)
    last = now
    if (running) setImmediate(look)
  }
  setImmediate(look)
  const [startedAt, cpuBefore] = [performance.now(), threadMs()]
  const value = await work()
  await new Promise(resolve => setImmediate(resolve))
  running = false
  return { value, heldMs, cpuMs: threadMs() - cpuBefore, wallMs: performance.now() - startedAt }
}

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
