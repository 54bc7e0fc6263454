import type { SecretScreen } from '../flow/flow.ts'
import type { MenuKit } from './menu-kit.ts'

/**
 * Asks for a new PIN.
 *
 * @param words What it says above.
 * @param to The screen that asks for it once more.
 */
export const choosePinScreen = (
  { text, customers }: MenuKit,
  words: 'choosePin' | 'pinWasReset',
  to: string,
): SecretScreen => ({
  kind: 'secret',
  text: text(words),
  into: 'newPin',
  check: (typed, { phoneNumber, values: { pinOf } }) => {
    const fault = customers.pinFault(typed, {
      phoneNumber,
      ...(typeof pinOf === 'string' ? { customerId: pinOf } : {}),
    })
    if (fault === undefined) return undefined
    return text(fault === 'weak' ? 'pinWeak' : 'pinForm')
  },
  to,
})

/** Returns the screen that asks for the new PIN again; `0` leads back to choose another. @param to The next screen. */
export const repeatPinScreen = ({ text }: MenuKit, to: string): SecretScreen => ({
  kind: 'secret',
  text: text('repeatPin'),
  into: 'newPinAgain',
  check: (typed, { secrets }) => (typed === secrets.newPin ? undefined : text('pinsDiffer')),
  to,
})
