import type { ServiceOf, userPreferences } from '@sibyl/protocol'

/** The preferences of a person on every channel. */
export type Preferences = Awaited<ReturnType<ServiceOf<typeof userPreferences>['get']>>
