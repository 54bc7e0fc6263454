import { createHash, randomBytes } from 'node:crypto'
import { createVerifier, verifySignature } from '@sibyl/identity'
import type { Asker } from '../ask/asker.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import { homeFolder } from '../home/home-folder.ts'
import { shortenDid } from '../output/format.ts'
import { type CommandIo, onStop } from '../process/command-io.ts'
import { listen } from './listen.ts'
import { type SigningAssets, signingAssets } from './signing-assets.ts'
import { type SigningPlaceOptions, signingPlace } from './signing-place.ts'
import {
  answerText,
  digitsOf,
  fingerprintText,
  resourceOf,
  type SigningFacts,
  statementOf,
} from './signing-protocol.ts'
import { SigningScreen } from './signing-screen.ts'
import {
  type AnswerCheck,
  type SignedDelegation,
  type SigningEnd,
  type SigningRequest,
  SigningSession,
} from './signing-session.ts'

/** Options for a signature request; all have defaults. */
export interface SigningOptions extends SigningPlaceOptions {
  /** Time until the request expires, in seconds. @default 300 */
  readonly validSeconds?: number
  /** The files of the page. @default read at the first request of a phone */
  readonly assets?: () => Promise<SigningAssets>
}

/**
 * Requests a signature from a phone: serves a page, shows its QR code, and waits for the answer, which is verified.
 * Output goes to standard error.
 *
 * @param asker Asks the user whether both screens show the same fingerprint, if no key is expected. Without it, the
 * fingerprint is only shown, and the first device that opens the link signs.
 * @throws CommandError: `signing_refused`, `signing_expired`, `signing_wrong_device`, `signing_invalid`,
 * `signing_offline` (no network, no port), `interrupted` (Ctrl-C)
 */
export const requestSignature = async (
  request: SigningRequest,
  io: CommandIo,
  asker?: Asker,
  options: SigningOptions = {},
): Promise<SignedDelegation> => {
  const { validSeconds = 300, assets = keepAssets() } = options
  const screen = new SigningScreen(io)
  const place = signingPlace(io, options)
  const opened = await listen(place, homeFolder(io.env), screen)
  const facts = factsOf(request, place.origin(opened.port))
  const fingerprint = (did: string) => digitsOf(createHash('sha256').update(fingerprintText(facts, did)).digest())
  const session = new SigningSession(facts, answerCheck(facts), {
    opened() {
      screen.print('A phone opened it.')
      screen.wait('The phone is decrypting the key')
    },
    turnedAway: () => screen.print('A second device also opened the link; it cannot sign.', true),
    keyNamed(did) {
      screen.compare(fingerprint(did), did)
      screen.wait('Sign on the phone')
    },
  })
  const secret = randomBytes(16).toString('base64url')
  const endsAt = performance.now() + validSeconds * 1000
  const secondsLeft = () => Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))
  opened.serve({ session, secret, assets, secondsLeft })
  screen.show(`${facts.origin}/${facts.id}#${secret}`, facts, place)
  if (asker === undefined && facts.expectedDid === undefined) {
    screen.print('There is no terminal to compare the numbers: the first device that opens the link signs.', true)
  }
  const end = await waitForEnd(session, screen, io, { secondsLeft, validSeconds })
  await opened.close()
  const signed = resultOf(end, facts)
  await confirm(signed, fingerprint(signed.did), facts, asker)
  await opened.keep()
  return signed
}

/** Reads the files of the page at the first request. */
const keepAssets = (): (() => Promise<SigningAssets>) => {
  let kept: Promise<SigningAssets> | undefined
  return () => {
    kept ??= signingAssets()
    return kept
  }
}

const factsOf = (request: SigningRequest, origin: string): SigningFacts => {
  const { lifetimeSeconds, ...rest } = request
  const from = Math.floor(Date.now() / 1000)
  return {
    ...rest,
    id: randomBytes(8).toString('base64url'),
    challenge: randomBytes(16).toString('hex'),
    origin,
    from,
    until: from + lifetimeSeconds,
  }
}

const waitForEnd = async (
  session: SigningSession,
  screen: SigningScreen,
  io: CommandIo,
  { secondsLeft, validSeconds }: { readonly secondsLeft: () => number; readonly validSeconds: number },
): Promise<SigningEnd> => {
  const tick = () => screen.tick(secondsLeft())
  tick()
  const ticking = setInterval(tick, 1_000)
  const expiring = setTimeout(() => session.end('expired'), validSeconds * 1_000)
  const release = onStop(io, () => session.end('cancelled'))
  try {
    return await session.ended
  } finally {
    clearInterval(ticking)
    clearTimeout(expiring)
    release()
    screen.end()
  }
}

const resultOf = (end: SigningEnd, { expectedDid = '' }: SigningFacts): SignedDelegation => {
  switch (end.state) {
    case 'signed':
      return end.signed
    case 'refused':
      throw cliErrors.signing_refused(
        'The phone refused to sign.',
        'Nothing was signed. Run the command again if that was a mistake.',
      )
    case 'cancelled':
      throw cliErrors.interrupted('Canceled before the phone signed.', 'Nothing was signed.')
    case 'expired':
      throw cliErrors.signing_expired(
        'The phone did not sign in time.',
        'Run the command again. If the page did not open, check that both devices are in one network, and that the firewall allows the port.',
      )
    case 'wrong-device':
      throw cliErrors.signing_wrong_device(
        `The phone has the key ${shortenDid(end.did)}; ${shortenDid(expectedDid)} has to sign.`,
        'Use the phone that signed before, or import its backup words on this one.',
      )
    case 'invalid':
      throw cliErrors.signing_invalid(
        `The signature of the phone was rejected. ${end.reason}`,
        'Run the command again.',
      )
  }
}

/** Asks the user, because only they can detect another device that opened the link first. */
const confirm = async (
  { did }: SignedDelegation,
  fingerprint: string,
  { expectedDid }: SigningFacts,
  asker: Asker | undefined,
): Promise<void> => {
  if (asker === undefined || expectedDid !== undefined) return
  if (await asker.confirm(`Does your phone show ${fingerprint}?`, false)) return
  throw cliErrors.signing_refused(
    `You answered that another device signed, with the key ${shortenDid(did)}.`,
    'Nothing was stored. If it was your phone, run the command again and answer Yes. If not, someone else has seen the link: move to a private place first.',
  )
}

/** Creates the check of an answer: its key signed this challenge and this UCAN, which has exactly the requested facts. */
const answerCheck = (facts: SigningFacts): AnswerCheck => {
  const verifier = createVerifier({ audience: [], rootIssuers: () => ({ access: 'open' }) })
  return async ({ delegation, signature }, did) => {
    const signed = Buffer.from(signature, 'hex')
    if (!verifySignature(did, Buffer.from(answerText(facts, delegation)), signed)) {
      return 'The challenge is not signed by the key of the phone.'
    }
    const verdict = await verifier.verifyDelegation(delegation, facts.audience)
    if (!verdict.ok) return `${verdict.detail} (${verdict.reason})`
    const { issuer, capabilities, expiresAt, links } = verdict.delegation
    if (issuer !== did) return 'The delegation is signed by another key.'
    if (links.length !== 1) return 'The delegation depends on other delegations.'
    const wanted = facts.abilities.map(ability => ({ resource: resourceOf(facts), ability }))
    if (!isSame(capabilities, wanted)) return 'The delegation allows other abilities than the requested ones.'
    if (expiresAt !== facts.until) return 'The delegation expires at another time than requested.'
    if (!isSame(factsIn(delegation), [statementOf(facts)])) return 'The delegation has other facts.'
    return { did, delegation, expiresAt }
  }
}

/** Returns the facts of a genuine UCAN besides its capabilities. */
const factsIn = (delegation: string): unknown =>
  JSON.parse(Buffer.from(delegation.split('.')[1] ?? '', 'base64url').toString()).fct

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
