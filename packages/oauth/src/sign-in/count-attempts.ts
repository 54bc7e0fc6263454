import { type Interaction, saveSubmission } from './complete-sign-in.ts'
import { signInErrors } from './sign-in-errors.ts'

/** Maximum codes that are tried in one sign-in. A common limit of all would lock users out, and a code has 60 random bits. */
const maxAttempts = 5

/** Counts the attempt at a code before it is checked. Throws `sign_in_attempts`. */
export const countAttempt = async (interaction: Interaction): Promise<void> => {
  const { attempts = 0 } = (interaction.lastSubmission ?? {}) as { readonly attempts?: number }
  if (attempts >= maxAttempts) throw signInErrors.sign_in_attempts()
  await saveSubmission(interaction, { attempts: attempts + 1 })
}
