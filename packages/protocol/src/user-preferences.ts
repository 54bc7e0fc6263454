import { type ServiceToken, serviceToken } from './service-token.ts'

/** The preferences of a person on every channel. Missing ones are unknown. */
export interface Preferences {
  /** The language they read, as a BCP 47 code: `sw`. */
  readonly language?: string
  /** `imperial`: Fahrenheit, miles, pounds. */
  readonly units?: 'metric' | 'imperial'
  /** The preferred tone: `short and plain`; at most 100 characters. */
  readonly tone?: string
  /** The time zone they live in, by its IANA name: `Africa/Lusaka`. */
  readonly timeZone?: string
  /** The preferred name; at most 60 characters. */
  readonly name?: string
}

/** A change of preferences: what is named is set, what is null is dropped, the rest stays (RFC 7396). */
export type PreferencesPatch = { readonly [Key in keyof Preferences]?: Preferences[Key] | null }

/** Keeps what people prefer, by DID. */
export interface UserPreferences {
  /** Returns the preferences of a person; an empty object if unknown. */
  get(did: string): Promise<Preferences>
  /** Changes the given preferences; resolves once they are stored. Idempotent. Rejects invalid preferences. */
  set(did: string, patch: PreferencesPatch): Promise<void>
}

/** The service of the plugin that keeps preferences. @example await host.optionalService(userPreferences)?.get(did) */
export const userPreferences: ServiceToken<UserPreferences> = serviceToken('user-preferences')
