/** How long something took, as this process felt it. */
export interface FeltTime<Result> {
  readonly result: Result
  /** Milliseconds. */
  readonly tookMs: number
}

const pollMs = 10

/**
 * Waits for something and counts looks at it meanwhile, one in 10 ms: a pause of the whole process, as a busy machine makes
 * it, counts as one look.
 *
 * @example
 * const { tookMs } = await feltTime(storage.ping())
 */
export const feltTime = async <Result>(work: Promise<Result>): Promise<FeltTime<Result>> => {
  let attempts = 0
  const timer = setInterval(() => {
    attempts += 1
  }, pollMs)
  try {
    return { result: await work, tookMs: attempts * pollMs }
  } finally {
    clearInterval(timer)
  }
}
