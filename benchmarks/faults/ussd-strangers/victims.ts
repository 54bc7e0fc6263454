import { WalkingPhone } from '../ussd/walking-phone.ts'

/** A caller in the middle of a session. */
export interface Victim {
  readonly phone: WalkingPhone
  /** Secrets of this caller, which only they and the operator may see. */
  readonly secrets: readonly string[]
}

/** The turns after which they stand still: at the name, the PINs, the account, the profile, and before an action. */
const standAfter = [8, 9, 10, 11, 12, 13, 14, 16]
const ofEach = 4

/** Opens sessions, half of them in the plain form and half in Hubtel's. */
export const openVictims = async (url: string): Promise<readonly Victim[]> => {
  const victims: Victim[] = []
  for (const [index, turns] of Array.from({ length: ofEach }, () => standAfter)
    .flat()
    .entries()) {
    const phone = new WalkingPhone(100 + index, false)
    for (let turn = 0; turn < turns; turn += 1) {
      if ((await phone.turn(url)) !== 'acknowledged') throw new Error(`turn ${turn} of a session: ${phone.heard}`)
    }
    const { name, customerId, phoneNumber } = phone
    victims.push({ phone, secrets: [name, phoneNumber.slice(1), ...(customerId === undefined ? [] : [customerId])] })
  }
  return victims
}
