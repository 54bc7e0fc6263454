import type { Logger, PersonChannels } from '@sibyl/plugin'
import { withinTime } from '../time/time-limit.ts'
import type { NamedRecords } from './make-people.ts'

/** Time limit of each plugin, in milliseconds. */
const limitMs = 5_000

/** An address of a person on the channel of a plugin. */
export interface NamedAddress {
  readonly plugin: string
  /** Masked. */
  readonly address: string
}

/** The addresses of people in all plugins that are channels. */
export interface PeopleChannels {
  of(dids: readonly string[]): Promise<ReadonlyMap<string, readonly NamedAddress[]>>
  find(address: string): Promise<readonly string[]>
}

/** Creates the addresses of people. A plugin that fails or takes too long is logged and left out. */
export const createPeopleChannels = (plugins: () => readonly NamedRecords[], log: Logger): PeopleChannels => {
  const fromEach = async <Value>(read: (channels: PersonChannels) => Promise<Value>) => {
    const answers = await Promise.all(
      plugins().map(async ({ name, records: { channels } }) => {
        if (!channels) return []
        const result = await withinTime(() => read(channels), { limitMs })
        if (result.outcome === 'done') return [{ plugin: name, value: result.value }]
        const error = result.outcome === 'failed' ? { error: result.error } : {}
        log.warn('the addresses of people could not be read', { plugin: name, ...error })
        return []
      }),
    )
    return answers.flat()
  }
  return {
    async of(dids) {
      const all = new Map<string, NamedAddress[]>(dids.map(did => [did, []]))
      if (dids.length === 0) return all
      for (const { plugin, value } of await fromEach(channels => channels.of(dids))) {
        for (const [did, addresses] of value) all.get(did)?.push(...addresses.map(address => ({ plugin, address })))
      }
      return all
    },
    async find(address) {
      const found = await fromEach(channels => channels.find(address))
      return [...new Set(found.flatMap(({ value }) => value))]
    },
  }
}
