import { type Actor, channelAbilities, type Host, type Refusal, type Turn, type TurnResult } from '@sibyl/plugin'
import { phoneChannel, phoneTextLength, plainPhoneText, shortenPhoneText } from '@sibyl/plugin/phones'
import type { Vault } from '@sibyl/plugin/sealing'
import type { PhonePeople } from '../people/phone-people.ts'
import type { PhoneOrigins } from '../requests/phone-origins.ts'
import type { UssdTables } from '../storage/ussd-tables.ts'
import { createQuestionStore, type EndedAnswer } from './question-store.ts'
import type { Answer, Asker, QuestionRefusal, Questions } from './questions.ts'

export interface QuestionsDependencies {
  readonly host: Pick<Host<unknown, UssdTables>, 'storage' | 'turns' | 'identity' | 'clock' | 'log'>
  readonly vault: Vault
  readonly people: Pick<PhonePeople, 'note'>
  readonly origins: Pick<PhoneOrigins, 'of'>
  /** Time for which an answer is stored, in milliseconds. */
  readonly keptMs: number
}

/**
 * Creates questions that the agent answers in turns of the channel `ussd`, for the pairwise DID of the phone. A
 * question is stored before its turn and is its key, so that a later request, also after a crash, joins that turn.
 */
export const createQuestions = ({ host, vault, people, origins, keptMs }: QuestionsDependencies): Questions => {
  const { turns, identity, clock, log } = host
  const store = createQuestionStore(host.storage, vault, clock, people.note, keptMs)

  /** Runs the turn of a stored question, or joins the existing one. */
  const follow = async (asker: Asker, id: string, question: string): Promise<Answer> => {
    const origin = origins.of(asker.phoneNumber)
    const actor: Actor = {
      did: identity.pairwiseDid(phoneChannel, asker.phoneNumber),
      via: 'ussd',
      scopes: channelAbilities,
      origin,
    }
    const started = await turns.run({
      actor,
      session: conversationOf(vault, asker),
      text: question,
      channel: 'ussd',
      dedupeKey: id,
      whenBusy: 'refuse',
      approvals: 'deny',
    })
    if ('refused' in started) return { kind: 'refused', reason: reasonOf(started.refused) }
    const answer = answerOf(await started.finished)
    await store
      .end(id, asker, answer)
      .catch((error: unknown) => log.warn('an answer to a caller could not be stored; its turn has it', { error }))
    return answer
  }

  return {
    async ask(request) {
      const { question, idempotencyKey: id, ...asker } = request
      if (identity.did === undefined) return { kind: 'refused', reason: 'not-set-up' }
      const isNew = await store.add(request)
      const answer = await follow(asker, id, question)
      if (answer.kind === 'refused' && isNew) await store.drop(id)
      return answer
    },
    async last(asker) {
      const kept = await store.newest(asker)
      if (!kept) return undefined
      const { id, question, askedAt } = kept
      return { question, askedAt, answer: kept.answer ?? (await follow(asker, id, question)) }
    },
    async export(phoneNumber) {
      const kept = await store.ofPhone(phoneNumber)
      return kept.map(({ question, answer, askedAt }) => ({
        question,
        ...(answer?.kind === 'answered' ? { answer: answer.text } : {}),
        askedAt,
      }))
    },
    erase: phoneNumber => store.eraseOfPhone(phoneNumber),
  }
}

/** Returns the agent's session of a caller: one per phone and account, by a hash that reveals neither. */
const conversationOf = (vault: Vault, { phoneNumber, customerId = '' }: Asker): string =>
  `phone-${vault.lookupHashes(`${phoneNumber} ${customerId}`, 'conversation')[0]}`

const answerOf = ({ outcome, text, hasActed }: TurnResult): EndedAnswer => {
  if (hasActed) return { kind: 'acted' }
  if (outcome === 'stopped' || outcome === 'interrupted') return { kind: 'interrupted' }
  const plain = phoneText(text)
  return outcome === 'done' && plain !== '' ? { kind: 'answered', text: plain } : { kind: 'failed' }
}

const reasonOf = ({ status, code }: Refusal): QuestionRefusal => {
  if (code === 'turn_running') return 'busy'
  if (code === 'token_budget_used') return 'budget'
  if (code === 'model_not_configured') return 'not-set-up'
  return status === 402 ? 'credit' : 'unavailable'
}

/** Instructs the agent, only in turns of callers, about the capabilities of a phone. */
export const phoneInstructions = async ({ channel }: Turn): Promise<string | undefined> =>
  channel === 'ussd'
    ? 'The person reads this on a basic phone by USSD. Answer in the language of the question, in plain text without Markdown ' +
      'or pictographs, in at most 300 characters. No person can approve anything here.'
    : undefined

/** Maximum length of an answer on a phone: four or five pages. */
const longest = { gsm7: 600, ucs2: 240 } as const

/** The accented letters of ISO 8859-1, and the French ligatures; those in GSM-7 are kept. */
const westernLetters = /[À-ÖØ-öø-ÿŒœ]/g

/**
 * Returns an answer of the agent for a phone: without Markdown, with GSM-7 characters if that changes no meaning, and
 * truncated at a sentence or a word to about five pages.
 */
export const phoneText = (text: string): string => {
  const plain = plainPhoneText(text)
  const western = plain.replace(westernLetters, letter =>
    phoneTextLength(letter).encoding === 'gsm7' ? letter : withoutAccent(letter),
  )
  const { encoding } = phoneTextLength(western)
  return shortenPhoneText(encoding === 'gsm7' ? western : plain, longest)
}

const withoutAccent = (letter: string): string => {
  if (letter === 'œ') return 'oe'
  return letter === 'Œ' ? 'OE' : letter.normalize('NFD').replace(/\p{M}/gu, '')
}
