import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type Provider from 'oidc-provider'
import { phoneScopes } from '../page/scope-text.ts'
import { phoneDays } from '../page/sign-in-page.ts'
import { hashOf } from '../tables/hash-of.ts'
import {
  completeSignIn,
  type Interaction,
  type PageRequest,
  readInteraction,
  requestedScopes,
  type SignedIn,
  type SignInParts,
  saveSubmission,
} from './complete-sign-in.ts'
import { signInErrors } from './sign-in-errors.ts'

/** The scopes and the duration that a user chose. */
export interface SignInChoice {
  readonly scopes: readonly string[]
  readonly days: number
}

/** The part of an interaction that a phone signs: it has the secret of the QR code instead of the cookie of the browser. */
interface PhoneRequest {
  /** SHA-256 of the secret, base64url. */
  readonly secret: string
  /** Four digits on the first screen, which the user types on the phone. */
  readonly number: string
  readonly wrongNumbers?: number
  readonly began: PhoneStart
  readonly choice: SignInChoice
  /** The user of the phone, once it has signed. */
  readonly user?: SignedIn
}

/** The browser that began a sign-in by phone. */
export interface PhoneStart {
  /** Such as `Firefox on Windows`. */
  readonly browser: string
  /** Its network address, if it is known. */
  readonly address?: string
}

/** Wrong numbers that end a sign-in by phone. */
const maxWrongNumbers = 3

type Submission = { readonly phone?: PhoneRequest } | undefined

const phoneOf = ({ lastSubmission }: Interaction): PhoneRequest | undefined => (lastSubmission as Submission)?.phone

const store = (interaction: Interaction, phone: PhoneRequest): Promise<void> => saveSubmission(interaction, { phone })

/** Begins a sign-in by phone, in place of an earlier one. Returns the secret of its QR code, and the number that is typed on the phone. */
export const beginPhone = async (
  provider: Provider,
  request: PageRequest,
  choice: SignInChoice,
  began: PhoneStart,
): Promise<{ readonly secret: string; readonly number: string }> => {
  const interaction = await readInteraction(provider, request)
  const requested = requestedScopes(interaction)
  const scopes = phoneScopes(choice.scopes.filter(scope => requested.includes(scope)))
  if (scopes.length === 0) throw signInErrors.sign_in_not_by_phone()
  const secret = randomBytes(16).toString('base64url')
  const number = String(randomInt(10_000)).padStart(4, '0')
  const days = Math.min(choice.days, phoneDays)
  await store(interaction, { secret: hashOf(secret), number, began, choice: { scopes, days } })
  return { secret, number }
}

/** Returns the sign-in that a phone is asked for. Throws `sign_in_expired`, also if the phone has signed. */
export const readPhone = async (
  provider: Provider,
  uid: string,
  secret: string,
): Promise<{ readonly interaction: Interaction; readonly phone: PhoneRequest }> => {
  const interaction = (await provider.Interaction.find(uid)) as Interaction | undefined
  const phone = interaction && phoneOf(interaction)
  if (!phone || phone.user || !timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(phone.secret))) {
    throw signInErrors.sign_in_expired()
  }
  if ((phone.wrongNumbers ?? 0) >= maxWrongNumbers) throw signInErrors.sign_in_attempts()
  return { interaction, phone }
}

/**
 * Stores the user of the phone, with whom the first browser goes on.
 *
 * @param given The number that the user typed, and the scopes that they left.
 * @throws `sign_in_expired`, `sign_in_number_wrong`, `sign_in_attempts`, `sign_in_scopes_missing`
 */
export const signPhone = async (
  provider: Provider,
  { uid, secret }: { readonly uid: string; readonly secret: string },
  user: SignedIn,
  given: { readonly number: string; readonly scopes: readonly string[] },
): Promise<void> => {
  const { interaction, phone } = await readPhone(provider, uid, secret)
  if (given.number !== phone.number) {
    await store(interaction, { ...phone, wrongNumbers: (phone.wrongNumbers ?? 0) + 1 })
    throw signInErrors.sign_in_number_wrong()
  }
  const scopes = phone.choice.scopes.filter(scope => given.scopes.includes(scope))
  if (scopes.length === 0) throw signInErrors.sign_in_scopes_missing()
  await store(interaction, { ...phone, choice: { ...phone.choice, scopes }, user })
}

/** Completes a sign-in once its phone has signed. Returns the URL at which the browser goes on; undefined until then. */
export const completePhone = async (
  provider: Provider,
  request: PageRequest,
  parts: SignInParts,
): Promise<string | undefined> => {
  const { user, choice, wrongNumbers = 0 } = phoneOf(await readInteraction(provider, request)) ?? {}
  if (wrongNumbers >= maxWrongNumbers) throw signInErrors.sign_in_attempts()
  return user && choice ? completeSignIn(provider, request, user, choice, parts) : undefined
}
