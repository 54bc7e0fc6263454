import { type ServiceToken, serviceToken } from './service-token.ts'

/** A fact as a person is shown it. */
export interface PersonFact {
  readonly id: string
  readonly text: string
  readonly tags: readonly string[]
  /** 1 to 5. */
  readonly importance: number
  /** ISO 8601: when it was first told, and when last. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** What is remembered of people, for the plugins that know them by another name than their DID. */
export interface PersonMemory {
  /** All that is remembered of a person. Rejects where the memory cannot be reached. */
  export(did: string): Promise<readonly PersonFact[]>
  /** Forgets all of it for good, and gives how many facts there were; may be called again. Rejects as `export` does. */
  forget(did: string): Promise<number>
}

/** The service of the plugin that remembers. @example await host.optionalService(personMemory)?.forget(did) */
export const personMemory: ServiceToken<PersonMemory> = serviceToken('person-memory')
