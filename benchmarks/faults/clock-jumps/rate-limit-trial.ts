import type { Fault } from '../frame/run-fault.ts'
import type { MovedOracle } from './moved-oracle.ts'

const hour = 3_600_000
const windowSeconds = 60

/** Uses up a rate limit while the clock is wrong; no caller may be rejected for longer than the window. */
export const tryRateLimit = async (fault: Fault, oracle: MovedOracle, limit: number): Promise<void> => {
  let slowest = 0
  let unlimited = 0
  for (const aheadMs of [hour, 0, -hour, 0]) {
    await oracle.jumpTo(aheadMs)
    let seconds: number | undefined
    for (let sent = 0; sent <= limit; sent += 1) seconds = await retryAfter(oracle)
    if (seconds === undefined) unlimited += 1
    else slowest = Math.max(slowest, seconds)
  }
  fault.atMost('times that the rate limit did not hold', unlimited, 0)
  fault.atMost('longest Retry-After of the rate limit, s', slowest, windowSeconds)
  if (fault.quick) return
  await new Promise(resolve => setTimeout(resolve, slowest * 1000))
  fault.atMost('shut out after that time', (await retryAfter(oracle)) === undefined ? 0 : 1, 0)
}

/** The seconds of Retry-After; undefined when the request was let through. */
const retryAfter = async (oracle: MovedOracle): Promise<number | undefined> => {
  const response = await fetch(`${oracle.process.url}/.well-known/oracle.json`)
  await response.text()
  return response.status === 429 ? Number(response.headers.get('retry-after')) : undefined
}
