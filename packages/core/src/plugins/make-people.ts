import type { HostPeople, Logger, PersonalRecords, Turns } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import { PersonIsOracleError } from '../errors/person-is-oracle-error.ts'
import { PersonalRecordsError } from '../errors/personal-records-error.ts'
import { withinTime } from '../time/time-limit.ts'
import { corePart, sessionsPart } from './plugin-name.ts'

/** How long each part of an export or an erasure may take. */
export const personalRecordsLimitMs = 30_000

/** What a plugin keeps of people, under its name. */
export interface NamedRecords {
  readonly name: string
  readonly records: PersonalRecords
}

/** What `makePeople` takes. */
export interface PeopleParts {
  readonly turns: Pick<Turns, 'transcripts' | 'forget'>
  /** What core stores of people besides sessions. */
  readonly core: PersonalRecords
  /** Reports whether a DID is, or was, the oracle's. */
  isOracle(did: string): Promise<boolean>
  /** The plugins that keep something of people. Throws `not_booted` before they are known. */
  plugins(): readonly NamedRecords[]
  readonly log: Logger
  /** For each part, in milliseconds. @default 30_000 */
  readonly limitMs?: number
}

/**
 * Makes what plugins read and erase people's records with. An export reads all parts at the same time. An erasure goes from
 * sessions over the plugins, those that rest on others first, to core: each still finds what it rests on.
 */
export const makePeople = (parts: PeopleParts): HostPeople => {
  const { turns, log, limitMs = personalRecordsLimitMs } = parts
  const plugins = (): readonly NamedRecords[] => [{ name: corePart, records: parts.core }, ...parts.plugins()]
  const assertPerson = async (did: string): Promise<void> => {
    if (await parts.isOracle(did)) throw new PersonIsOracleError()
  }

  /** Does a part of the work; what fails is logged under the part's name and noted in `failed`. */
  const attempt = async <Value>(
    { what, part, failed }: { what: 'export' | 'erase'; part: string; failed: string[] },
    work: () => Promise<Value>,
  ): Promise<Value | undefined> => {
    const result = await withinTime(work, { limitMs })
    if (result.outcome === 'done') return result.value
    failed.push(part)
    const { outcome } = result
    const words = what === 'export' ? 'export' : 'erasure'
    log.error(`the ${words} of the data of a person ${outcome === 'late' ? 'took too long' : 'failed'}`, {
      ...(part === sessionsPart || part === corePart ? {} : { plugin: part }),
      ...(outcome === 'failed' ? { error: result.error } : {}),
    })
    return undefined
  }

  return {
    async export(did) {
      const sources = plugins()
      await assertPerson(did)
      const failed: string[] = []
      const what = 'export'
      const [sessions, ...kept] = await Promise.all([
        attempt({ what, part: sessionsPart, failed }, () => sessionsOf(turns, did)),
        ...sources.map(({ name, records }) => attempt({ what, part: name, failed }, () => records.export(did))),
      ])
      if (failed.length > 0) throw new PersonalRecordsError(what, failed)
      const named = sources.flatMap(({ name }, place): [string, JsonValue][] => {
        const value = kept[place]
        return value === undefined ? [] : [[name, value]]
      })
      return { [sessionsPart]: sessions ?? [], ...Object.fromEntries(named) }
    },
    async erase(did) {
      const sources = plugins()
      await assertPerson(did)
      const failed: string[] = []
      const what = 'erase'
      await attempt({ what, part: sessionsPart, failed }, () => turns.forget(did))
      for (const { name, records } of sources.toReversed())
        await attempt({ what, part: name, failed }, () => records.erase(did))
      if (failed.length > 0) throw new PersonalRecordsError(what, failed)
    },
  }
}

const sessionsOf = async (turns: Pick<Turns, 'transcripts'>, did: string): Promise<JsonValue> =>
  (await turns.transcripts(did)).map(({ session, messages }) => ({
    session,
    messages: messages.map(({ role, text, at }) => ({ role, text, at: new Date(at).toISOString() })),
  }))
