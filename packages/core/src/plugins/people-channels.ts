import { cleanText, type Logger, type PersonalRecords } from '@sibyl/plugin'
import { withinTime } from '../time/time-limit.ts'

/** Time limit of each plugin, in milliseconds. */
const limitMs = 5_000

/** Maximum names of one plugin that a search reads. */
const maxSearched = 100_000

/** Maximum characters of a name. */
const maxName = 100

/** An address of a person on the channel of a plugin. */
export interface NamedAddress {
  readonly plugin: string
  /** Masked. */
  readonly address: string
}

/** A name of a person, on one line and without invisible characters. */
export interface PersonName {
  readonly name: string
  readonly chosenBy: 'operator' | 'person'
}

/** The addresses and names of people in all plugins that store some. */
export type PeopleChannels = ReturnType<typeof createPeopleChannels>

/** The records of a plugin, or of core, that have addresses or names. */
export interface NamedSource {
  readonly name: string
  readonly records: Pick<PersonalRecords, 'channels' | 'names'>
}

/** Creates the addresses and names of people. A plugin that fails or takes too long is logged and left out. */
export const createPeopleChannels = (sources: () => readonly NamedSource[], log: Logger) => {
  const fromEach = async <Kind extends 'channels' | 'names', Value>(
    kind: Kind,
    read: (part: NonNullable<NamedSource['records'][Kind]>, plugin: string) => Promise<Value>,
  ): Promise<Value[]> => {
    const answers = await Promise.all(
      sources().map(async ({ name, records: { [kind]: part } }) => {
        if (!part) return []
        const result = await withinTime(() => read(part, name), { limitMs })
        if (result.outcome === 'done') return [result.value]
        const error = result.outcome === 'failed' ? { error: result.error } : {}
        log.warn('the addresses of people could not be read', { plugin: name, ...error })
        return []
      }),
    )
    return answers.flat()
  }
  /** Collects what each source has of people, by DID. */
  const gathered = <Value>(dids: readonly string[], all: readonly (readonly [string, readonly Value[]])[]) => {
    const found = new Map<string, Value[]>(dids.map(did => [did, []]))
    for (const [did, values] of all) found.get(did)?.push(...values)
    return found
  }
  return {
    async of(dids: readonly string[]): Promise<ReadonlyMap<string, readonly NamedAddress[]>> {
      if (dids.length === 0) return new Map()
      const all = await fromEach('channels', async (channels, plugin) =>
        [...(await channels.of(dids))].map(
          ([did, addresses]) => [did, addresses.map(address => ({ plugin, address }))] as const,
        ),
      )
      return gathered(dids, all.flat())
    },
    async find(address: string): Promise<readonly string[]> {
      return [...new Set((await fromEach('channels', channels => channels.find(address))).flat())]
    },
    /** Returns the names of people, those that operators gave first. */
    async namesOf(dids: readonly string[]): Promise<ReadonlyMap<string, readonly PersonName[]>> {
      if (dids.length === 0) return new Map()
      const all = await fromEach('names', async names => {
        const { chosenBy } = names
        return [...(await names.of(dids))].flatMap(([did, given]) => {
          const name = cleanText(given, { maxLength: maxName })
          return name === '' ? [] : [[did, [{ name, chosenBy }]] as const]
        })
      })
      const byRank = all.flat().toSorted(([, [one]], [, [other]]) => rank(one!) - rank(other!))
      return gathered(dids, byRank)
    },
    /** Returns the DIDs of at most `limit` people with a name that matches. */
    async findNames(matches: (name: string) => boolean, limit: number): Promise<readonly string[]> {
      const all = await fromEach('names', async names => {
        const found: string[] = []
        let read = 0
        for await (const { did, name } of names.all()) {
          if (matches(name)) found.push(did)
          read += 1
          if (found.length === limit || read === maxSearched) break
        }
        return found
      })
      return [...new Set(all.flat())].slice(0, limit)
    },
  }
}

const rank = ({ chosenBy }: PersonName): number => (chosenBy === 'operator' ? 0 : 1)
