import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type Provider from 'oidc-provider'
import { hashOf } from '../tables/hash-of.ts'
import {
  completeSignIn,
  type Interaction,
  type PageRequest,
  readInteraction,
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
  readonly choice: SignInChoice
  /** The user of the phone, once it has signed. */
  readonly user?: SignedIn
}

type Submission = { readonly phone?: PhoneRequest } | undefined

/** Returns the number that both screens show, so that the user can compare them: four digits. */
export const numberOf = (secret: string): string =>
  String(createHash('sha256').update(`number ${secret}`).digest().readUInt32BE(0) % 10_000).padStart(4, '0')

const phoneOf = ({ lastSubmission }: Interaction): PhoneRequest | undefined => (lastSubmission as Submission)?.phone

const store = (interaction: Interaction, phone: PhoneRequest): Promise<void> => saveSubmission(interaction, { phone })

/** Begins a sign-in by phone, in place of an earlier one. Returns the secret of its QR code. */
export const beginPhone = async (provider: Provider, request: PageRequest, choice: SignInChoice): Promise<string> => {
  const interaction = await readInteraction(provider, request)
  const secret = randomBytes(16).toString('base64url')
  await store(interaction, { secret: hashOf(secret), choice })
  return secret
}

/** Returns the sign-in that a phone is asked for. Throws `sign_in_expired`, also if the phone has signed. */
export const readPhone = async (
  provider: Provider,
  uid: string,
  secret: string,
): Promise<{ readonly interaction: Interaction; readonly choice: SignInChoice }> => {
  const interaction = (await provider.Interaction.find(uid)) as Interaction | undefined
  const phone = interaction && phoneOf(interaction)
  if (!phone || phone.user || !timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(phone.secret))) {
    throw signInErrors.sign_in_expired()
  }
  return { interaction, choice: phone.choice }
}

/** Stores the user of the phone, with whom the first browser goes on. Throws `sign_in_expired`. */
export const signPhone = async (provider: Provider, uid: string, secret: string, user: SignedIn): Promise<void> => {
  const { interaction, choice } = await readPhone(provider, uid, secret)
  await store(interaction, { secret: hashOf(secret), choice, user })
}

/** Completes a sign-in once its phone has signed. Returns the URL at which the browser goes on; undefined until then. */
export const completePhone = async (
  provider: Provider,
  request: PageRequest,
  parts: SignInParts,
): Promise<string | undefined> => {
  const { user, choice } = phoneOf(await readInteraction(provider, request)) ?? {}
  return user && choice ? completeSignIn(provider, request, user, choice, parts) : undefined
}
