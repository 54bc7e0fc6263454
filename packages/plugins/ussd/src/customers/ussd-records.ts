import type { PersonalRecords } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import type { PhonePeople } from './phone-people.ts'
import type { PhoneRecords } from './phone-records.ts'

/** What this plugin stores of the person of a phone, by their DID: the same as the operator's routes reach by the number. */
export const ussdRecords = (
  storage: UssdStorage,
  people: Pick<PhonePeople, 'phoneOf'>,
  records: readonly PhoneRecords[],
): PersonalRecords => ({
  async export(did) {
    const phoneNumber = await people.phoneOf(did)
    if (phoneNumber === undefined) return undefined
    const parts: Record<string, JsonValue> = {}
    for (const { name, export: read } of records) parts[name] = await read(phoneNumber)
    return parts
  },
  async erase(did) {
    const phoneNumber = await people.phoneOf(did)
    if (phoneNumber === undefined) return
    const erasures: Awaited<ReturnType<PhoneRecords['erase']>>[] = []
    for (const { erase } of records) erasures.push(await erase(phoneNumber))
    await storage.write(
      async tx => {
        for (const erasure of erasures) await erasure(tx)
      },
      { scrub: true },
    )
  },
})
