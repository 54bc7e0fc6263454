/** Time in which keys are collected, in milliseconds. */
const collectMs = 15

interface Waiting<Value> {
  readonly done: (value: Value | null) => void
  readonly failed: (error: unknown) => void
}

/** Returns a function that reads the value of a key, those of many keys with each request; null if it is unknown. */
export const createBatchLoader = <Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  maxKeys: number,
): ((key: string) => Promise<Value | null>) => {
  let waiting = new Map<string, Waiting<Value>[]>()
  const flush = async () => {
    if (waiting.size === 0) return
    const batch = waiting
    waiting = new Map()
    try {
      const found = await read([...batch.keys()])
      for (const [key, all] of batch) for (const { done } of all) done(found.get(key) ?? null)
    } catch (error) {
      for (const all of batch.values()) for (const { failed } of all) failed(error)
    }
  }
  return key =>
    new Promise((done, failed) => {
      if (waiting.size === 0) setTimeout(flush, collectMs)
      waiting.set(key, [...(waiting.get(key) ?? []), { done, failed }])
      if (waiting.size >= maxKeys) void flush()
    })
}
