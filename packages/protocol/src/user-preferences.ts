import { type ServiceToken, serviceToken } from './service-token.ts'

/** What a person prefers on every channel. */
export interface Preferences {
  /** The language they read, as a BCP 47 code: `sw`. */
  readonly language?: string
}

/** Keeps what people prefer, by DID. */
export interface UserPreferences {
  /** What is kept of that person; an empty object for nobody known. */
  get(did: string): Promise<Preferences>
  /** Changes what is named and leaves the rest; resolves once it is kept. Safe to call again. */
  set(did: string, patch: Preferences): Promise<void>
}

/** The service of the plugin that keeps preferences. @example await host.optionalService(userPreferences)?.get(did) */
export const userPreferences: ServiceToken<UserPreferences> = serviceToken('user-preferences')
