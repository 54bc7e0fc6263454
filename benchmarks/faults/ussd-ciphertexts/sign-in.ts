import { randomInt } from 'node:crypto'
import { PlainCall } from '../ussd/plain-call.ts'

/** The PIN that everybody has: no digits of the phone numbers here. */
export const commonPin = '830549'

/** Whether a customer is let in with it, from any phone. */
export const isLetIn = async (url: string, customerId: string): Promise<boolean> => {
  const call = new PlainCall(url, `+1${randomInt(2_000_000_000, 10_000_000_000)}`)
  const screen = await call.answers('2', '1', customerId, commonPin)
  return screen.text.startsWith('My account')
}
