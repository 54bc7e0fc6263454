import { type ServiceToken, serviceToken } from './service-token.ts'

/** What a person prefers on every channel. What is missing was never said. */
export interface Preferences {
  /** The language they read, as a BCP 47 code: `sw`. */
  readonly language?: string
  /** `imperial`: Fahrenheit, miles, pounds. */
  readonly units?: 'metric' | 'imperial'
  /** How they want to be spoken to: `short and plain`; at most 100 characters. */
  readonly tone?: string
  /** The time zone they live in, by its IANA name: `Africa/Lusaka`. */
  readonly timeZone?: string
  /** What they want to be called; at most 60 characters. */
  readonly name?: string
}

/** A change of preferences: what is named is set, what is null is dropped, the rest stays (RFC 7396). */
export type PreferencesPatch = { readonly [Key in keyof Preferences]?: Preferences[Key] | null }

/** Keeps what people prefer, by DID. */
export interface UserPreferences {
  /** What is kept of that person; an empty object for nobody known. */
  get(did: string): Promise<Preferences>
  /** Changes what is named and leaves the rest; resolves once it is kept. Safe to call again. Rejects what is no preference. */
  set(did: string, patch: PreferencesPatch): Promise<void>
}

/** The service of the plugin that keeps preferences. @example await host.optionalService(userPreferences)?.get(did) */
export const userPreferences: ServiceToken<UserPreferences> = serviceToken('user-preferences')
