import { z } from 'zod'

/** The variables of the plugin. */
export const userPreferencesEnv = z.object({})

/** What they say. */
export type UserPreferencesEnv = z.output<typeof userPreferencesEnv>
