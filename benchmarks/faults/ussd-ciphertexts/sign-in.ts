import { randomInt } from 'node:crypto'
import { PlainCall } from '../ussd/plain-call.ts'

/** The PIN of all customers; it has no digits of their phone numbers. */
export const commonPin = '830549'

/** Returns the number of these customers who can sign in with it, from any phone. */
export const countSignedIn = async (url: string, customerIds: readonly string[]): Promise<number> => {
  let count = 0
  for (const id of customerIds) {
    const call = new PlainCall(url, `+1${randomInt(2_000_000_000, 10_000_000_000)}`)
    if ((await call.answers('2', '1', id, commonPin)).text.startsWith('My account')) count += 1
  }
  return count
}
