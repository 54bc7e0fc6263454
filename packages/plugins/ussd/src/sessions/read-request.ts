import type { TextMode, UssdRequest } from '../requests/ussd-request.ts'
import type { KnownSession } from './session-record.ts'

/** Meaning of a request for its session. */
export type Reading =
  /** A repeated request: the reply is the last one. */
  | { readonly kind: 'repeat' }
  /** A fresh session, with these answers typed ahead; empty for none. */
  | { readonly kind: 'begin'; readonly answers: string; readonly mode: TextMode }
  /** Input since the last reply. */
  | { readonly kind: 'input'; readonly typed: string; readonly mode: TextMode }

/** Default time in which the same last answer is one request, in milliseconds. */
export const duplicateWindowMs = 2_000

/** Time in which the same first text is one request while the text mode is undecided, in milliseconds. */
const undecidedWindowMs = 5_000

/** Time in which a dial that ended its session immediately is one request, in milliseconds. */
const endedDialWindowMs = 10_000

/**
 * Returns the meaning of a request for the session under its key, also an ended one. If a dial ended its session and
 * its provider cannot close on a first reply, the next answer gets the same text again.
 *
 * @param shortcut Text dialed after the base code.
 */
export const readRequest = (request: UssdRequest, shortcut: string, found: KnownSession | undefined): Reading => {
  const known = found?.live === true ? found : undefined
  const active = known?.status === 'active'
  const bySequence = known && isOldSequence(request, known, active)
  if (bySequence === true) return { kind: 'repeat' }
  const { text, textMode: mode } = request
  if (isDial(request)) {
    const again = bySequence === undefined && known !== undefined && isDialAgain(known, shortcut, active)
    return again ? { kind: 'repeat' } : { kind: 'begin', answers: shortcut, mode }
  }
  if (known === undefined) return { kind: 'begin', answers: walked(shortcut, mode === 'last' ? '' : text), mode }
  const reading = readText(request, known, bySequence)
  if (reading.kind !== 'input' || active) return reading
  if (reading.mode === 'last' && known.record.text === undefined) return { kind: 'repeat' }
  return { kind: 'begin', answers: walked(shortcut, reading.mode === 'last' ? '' : text), mode }
}

/** Returns whether a request begins a session, in the form of any provider. */
export const isDial = ({ event, text, textMode }: UssdRequest): boolean =>
  event === 'dial' || (event === 'input' && text === '' && textMode !== 'last')

const walked = (shortcut: string, text: string): string => [shortcut, text].filter(part => part !== '').join('*')

/** Returns whether the request was served before, by the provider's count; undefined without a count. */
const isOldSequence = (request: UssdRequest, { record }: KnownSession, active: boolean): boolean | undefined => {
  if (request.sequence === undefined || record.sequence === undefined) return undefined
  return active ? request.sequence <= record.sequence : request.sequence === record.sequence
}

const isDialAgain = ({ record, idleMs }: KnownSession, shortcut: string, active: boolean): boolean =>
  record.text === undefined && record.shortcut === shortcut && (active || idleMs < endedDialWindowMs)

const readText = (request: UssdRequest, { record, idleMs }: KnownSession, bySequence: boolean | undefined): Reading => {
  const { text } = request
  const mode = request.textMode === 'auto' ? record.mode : request.textMode
  const input = (typed: string, next: TextMode): Reading => ({ kind: 'input', typed, mode: next })
  if (mode === 'last') {
    const windowMs = request.duplicateWindowMs ?? duplicateWindowMs
    const again = bySequence === undefined && text === record.text && Math.abs(idleMs) < windowMs
    return again ? { kind: 'repeat' } : input(text, 'last')
  }
  const before = record.text ?? ''
  if (before === '') return input(text, mode)
  if (text === before) {
    const again = mode === 'cumulative' || Math.abs(idleMs) < undecidedWindowMs
    return again ? { kind: 'repeat' } : input(text, 'last')
  }
  if (text.startsWith(`${before}*`)) return input(text.slice(before.length + 1), 'cumulative')
  if (before.startsWith(`${text}*`)) return { kind: 'repeat' }
  if (mode === 'auto') return input(text, 'last')
  return { kind: 'begin', answers: walked(record.shortcut, text), mode }
}
