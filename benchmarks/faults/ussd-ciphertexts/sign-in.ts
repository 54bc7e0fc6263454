import { randomInt } from 'node:crypto'
import { PlainCall } from '../ussd/plain-call.ts'

/** The PIN that everybody has: no digits of the phone numbers here. */
export const commonPin = '830549'

/** How many of these customers are let in with it, from any phone. */
export const countLetIn = async (url: string, customerIds: readonly string[]): Promise<number> => {
  let count = 0
  for (const id of customerIds) {
    const call = new PlainCall(url, `+1${randomInt(2_000_000_000, 10_000_000_000)}`)
    if ((await call.answers('2', '1', id, commonPin)).text.startsWith('My account')) count += 1
  }
  return count
}
