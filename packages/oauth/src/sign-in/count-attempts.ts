import type { Host } from '@sibyl/plugin'
import { type Interaction, saveSubmission } from './complete-sign-in.ts'
import { signInErrors } from './sign-in-errors.ts'

/** Maximum wrong codes of one sign-in. */
const maxAttempts = 5

/** Maximum codes that are tried in a minute, by all callers. */
const perMinute = 120

/** Counts the attempt at a code before it is checked. Throws `sign_in_attempts`. */
export const countAttempt = async (host: Pick<Host, 'limits'>, interaction: Interaction): Promise<void> => {
  const { allowed } = await host.limits.take({ name: 'codes', key: 'all', perMinute })
  const { attempts = 0 } = (interaction.lastSubmission ?? {}) as { readonly attempts?: number }
  if (!allowed || attempts >= maxAttempts) throw signInErrors.sign_in_attempts()
  await saveSubmission(interaction, { attempts: attempts + 1 })
}
