import type { SigningKey } from '@sibyl/identity/browser'
import type { SigningFacts, SigningState } from '../signing-protocol.ts'
import { BrowserStore } from './browser-store.ts'
import { Computer, ComputerError, readLink } from './computer.ts'
import { actions, button, element, given, quiet } from './elements.ts'
import { showEnd } from './end-step.ts'
import { factsList } from './facts-list.ts'
import { keyFromWords } from './mnemonic-key.ts'
import { choosePassphrase, unlock } from './passphrase-steps.ts'
import { clockWords } from './plain-words.ts'
import { chooseStart, explainOtherKey, review, showBusy } from './request-steps.ts'
import { PageScreen } from './screen.ts'
import { fingerprintOf, signFacts } from './sign.ts'
import { askForWords, createWords } from './words-steps.ts'

/** Timeout for a response of the computer while the page is visible, in milliseconds; it is polled every 2 seconds. */
const patience = 12_000

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Runs the page: from the link to a signature, a refusal or another end, whichever is first. */
const runPage = async (screen: PageScreen, store: BrowserStore): Promise<void> => {
  const link = readLink(location)
  if (!link) return showEnd(screen, 'proof_invalid')
  const computer = new Computer(link, store.device())
  const progress = { isSent: false }
  try {
    const { facts, secondsLeft } = await computer.claim()
    const over = watch(computer)
    const refused = showTimer(screen, secondsLeft)
    const state = await Promise.race([
      over,
      refused.then(() => persist(() => computer.refuse())),
      sign(screen, store, computer, facts, progress),
    ])
    showResult(screen, state, facts)
  } catch (error) {
    showError(screen, error, progress.isSent)
  }
}

/** Waits until the computer reports the end. */
const watch = async (computer: Computer): Promise<SigningState> => {
  for (;;) {
    const asked = performance.now()
    const state = await persist(() => computer.watch())
    if (state !== 'waiting') return state
    if (performance.now() - asked < 1_000) await pause(1_000)
  }
}

/** Retries requests to the computer: a phone that wakes up has no network at first. */
const persist = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
  let failingSince: number | undefined
  const startOver = () => {
    failingSince = undefined
  }
  document.addEventListener('visibilitychange', startOver)
  try {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        const now = performance.now()
        failingSince ??= document.hidden ? undefined : now
        const isOffline = error instanceof ComputerError && error.code === 'offline'
        if (!isOffline || now - (failingSince ?? now) > patience) throw error
        await pause(2_000)
      }
    }
  } finally {
    document.removeEventListener('visibilitychange', startOver)
  }
}

/** Shows the remaining time below all steps. Resolves when the user refuses. */
const showTimer = (screen: PageScreen, secondsLeft: number): Promise<void> =>
  new Promise(resolve => {
    const end = performance.now() + secondsLeft * 1000
    const time = element('span', { role: 'timer' })
    const refuse = button('Refuse', () => resolve(), 'plain bad')
    const tick = () => {
      time.textContent = clockWords(Math.max(0, (end - performance.now()) / 1000))
    }
    tick()
    setInterval(tick, 1_000)
    screen.showFooter(quiet(time, ' left'), refuse)
  })

const sign = async (
  screen: PageScreen,
  store: BrowserStore,
  computer: Computer,
  facts: SigningFacts,
  progress: { isSent: boolean },
): Promise<SigningState> => {
  const key = await haveKey(screen, store, facts)
  const did = key === 'wrong-phone' ? (store.key()?.did ?? '') : key.did
  const state = await persist(() => computer.nameKey(did))
  if (state !== 'waiting' || key === 'wrong-phone') return state
  await review(screen, factsList(facts, did), fingerprintOf(facts, did), store.key()?.did === did)
  showBusy(screen, 'Signing')
  const answer = await signFacts(facts, key)
  progress.isSent = true
  return persist(() => computer.sign(answer))
}

/** Decrypts the key of this browser, or creates one, or imports one by its words. */
const haveKey = async (
  screen: PageScreen,
  store: BrowserStore,
  facts: SigningFacts,
): Promise<SigningKey | 'wrong-phone'> => {
  const { expectedDid } = facts
  for (;;) {
    const kept = store.key()
    const isOther = kept !== undefined && expectedDid !== undefined && kept.did !== expectedDid
    const asked = factsList(facts)
    const how = isOther
      ? await explainOtherKey(screen, kept.did, expectedDid)
      : kept
        ? await unlock(screen, kept, asked)
        : await chooseStart(screen, asked, expectedDid === undefined)
    if (how === 'give-up') return 'wrong-phone'
    if (typeof how === 'object') return how
    const words =
      how === 'make'
        ? await createWords(screen)
        : await askForWords(screen, kept !== undefined, words => isExpected(words, expectedDid))
    if (words === 'back') continue
    const key = await keyFromWords(words)
    if (store.keepKey(await choosePassphrase(screen, key))) screen.print('The key is stored.')
    return key
  }
}

const isExpected = async (words: readonly string[], expectedDid: string | undefined): Promise<string | undefined> => {
  if (expectedDid === undefined || (await keyFromWords(words)).did === expectedDid) return undefined
  return 'These words belong to another key than the required one.'
}

const showResult = (screen: PageScreen, state: SigningState, facts: SigningFacts): void =>
  showEnd(screen, state, state === 'signed' && factsList(facts))

const showError = (screen: PageScreen, error: unknown, isSent: boolean): void => {
  const code = error instanceof ComputerError ? error.code : 'failed'
  const retry = button('Try again', () => location.reload())
  const what = code === 'failed' && quiet(given(String(error)))
  const isUnconfirmed = isSent && ['offline', 'failed'].includes(code)
  if (isUnconfirmed) showEnd(screen, 'unconfirmed')
  else showEnd(screen, code, what, code === 'offline' && actions(retry))
}

void runPage(new PageScreen(document), new BrowserStore(() => localStorage))
