import type { PersonChannels } from '@sibyl/plugin'
import { maskPhone, readPhoneNumber } from '@sibyl/protocol'
import type { LinkStore } from './link-store.ts'
import type { SmsPeople } from './sms-people.ts'

/** Maximum people found by one phone. */
const maxOwners = 20

/** Creates the phones of people for the operator: the one that they write from, and those that they linked. */
export const phoneChannels = (
  people: Pick<SmsPeople, 'phonesOf' | 'didOf'>,
  links: Pick<LinkStore, 'listAll' | 'owners'>,
): PersonChannels => ({
  async of(dids) {
    const [phones, linked] = await Promise.all([people.phonesOf(dids), links.listAll(dids)])
    const all = [...phones, ...linked.map(({ did, phone = '' }) => [did, phone] as const)]
    const masked = new Map<string, string[]>()
    for (const [did, phone] of all) masked.set(did, [...(masked.get(did) ?? []), maskPhone(phone)])
    return masked
  },
  async find(address) {
    const phone = readPhoneNumber(address)
    if (phone === undefined) return []
    const own = people.didOf(phone)
    const writes = own !== '' && (await people.phonesOf([own])).has(own)
    return [...(writes ? [own] : []), ...(await links.owners(phone, maxOwners))]
  },
})
